@x = global i32 0
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
define ptr @f(ptr %a) {
  %o = atomicrmw add ptr @x, i32 1 seq_cst
  %c = icmp sgt i32 %o, 5
  br i1 %c, label %l, label %r
l:
  store i32 %o, ptr @x, align 4
  br label %r
r:
  ret ptr null
}
define i32 @main() {
  %t = alloca i64, align 8
  %1 = call i32 @pthread_create(ptr %t, ptr null, ptr @f, ptr null)
  %v = load i32, ptr @x, align 4
  %2 = load i64, ptr %t, align 8
  %3 = call i32 @pthread_join(i64 %2, ptr null)
  %m = sdiv i32 7, %v
  ret i32 %m
}
