// What the page's scripts call things. The shapes come from the base station's own description of
// its interface, which tests/page/run asks for.

import type { components, paths } from "../../target/page/api";

type Pattern<P> = P extends `${infer Before}{${string}}${infer After}` ? `${Before}${string}${Pattern<After>}` : P;

// The path of the interface that an address is about.
type Meant<Address extends string> = Address extends `${infer Path}?${string}` ? Meant<Path> : `/api/${Address}` extends keyof paths
  ? `/api/${Address}`
  : { [P in keyof paths]: `/api/${Address}` extends Pattern<P> ? P : never }[keyof paths];

type Content<T> = T extends { content: { "application/json": infer Body } } ? Body : unknown;
type Good<T> = T extends { responses: { 200: infer Answer } } ? Content<Answer> : unknown;

declare global {
  /** What the base station answers to this method at this address. */
  type Answer<Method extends string, Address extends string> = string extends Address
    ? any
    : [Meant<Address>] extends [never]
      ? never
      : { [P in Meant<Address>]: paths[P] extends { [M in Method]: infer Operation } ? Good<Operation> : never }[Meant<Address>];

  type Schema = components["schemas"];
  type View = Schema["View"];
  type Change = { all?: boolean; parts?: string[]; cells?: Cell[]; tables?: Table[] };
  type Cell = View["cells"][number];
  type Table = View["tables"][number];
  type Child = Node | string | number | boolean | null | undefined | Child[];
}

export {};
