// A component that is drawn again only when something it was given is another object.
import { Component, type ComponentType, h, type VNode } from 'preact';

export function memo<P extends object>(Inner: (props: P) => VNode | null): ComponentType<P> {
  return class Memo extends Component<P> {
    shouldComponentUpdate(next: P): boolean {
      const keys = Object.keys(next) as (keyof P)[];
      return keys.some((key) => next[key] !== (this.props as P)[key]);
    }
    render() {
      return h(Inner as ComponentType<P>, this.props as P);
    }
  };
}
