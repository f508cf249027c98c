%s = type { i32, [4 x i8], double }
@g = internal constant [3 x i16] [i16 1, i16 -2, i16 3]
declare void @abort()
declare i32 @llvm.ctpop.i32(i32)
define internal i64 @fact(i64 %n) {
  %z = icmp eq i64 %n, 0
  br i1 %z, label %done, label %more
more:
  %m = sub nsw i64 %n, 1
  %r = call i64 @fact(i64 %m)
  %p = mul i64 %r, %n
  ret i64 %p
done:
  ret i64 1
}
define i32 @main() {
  %s = alloca %s
  %d = getelementptr %s, ptr %s, i32 0, i32 2
  store double 1.5, ptr %d
  %f = call i64 @fact(i64 4)
  %t = trunc i64 %f to i32
  %b = call i32 @llvm.ctpop.i32(i32 %t)
  %e = getelementptr [3 x i16], ptr @g, i64 0, i64 1
  %w = load i16, ptr %e
  switch i32 %b, label %bad [ i32 2, label %good
    i32 3, label %bad ]
bad:
  call void @abort()
  unreachable
good:
  ret i32 0
}
