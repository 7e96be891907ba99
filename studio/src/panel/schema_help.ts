// What may stand where in a scene's text, from the schema of scenes: completion of names and values, and help under the
// pointer. Works on texts that are half written.
import { CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { Tooltip, hoverTooltip } from "@codemirror/view";
import type { SyntaxNode } from "@lezer/common";
import { element } from "./dom";

export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly description?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly required?: readonly string[];
}

const kParse = 200; // ms that a long text may be read on
/** The node at a place, of a text that is read as far as that. */
function nodeAt(state: EditorState, pos: number, side: -1 | 1): SyntaxNode {
  return (ensureSyntaxTree(state, pos, kParse) ?? syntaxTree(state)).resolveInner(pos, side);
}

const textOf = (state: EditorState, node: SyntaxNode) => state.sliceDoc(node.from, node.to);
const unquoted = (text: string) => text.replace(/^"|"$/g, "");

/** The members of an object that is written, as far as they are plain texts. */
function members(state: EditorState, object: SyntaxNode): Map<string, string> {
  const out = new Map<string, string>();
  for (let property = object.firstChild; property; property = property.nextSibling) {
    if (property.name !== "Property") continue;
    const name = property.getChild("PropertyName");
    const value = property.lastChild;
    if (name) out.set(unquoted(textOf(state, name)), value?.name === "String" ? unquoted(textOf(state, value)) : "");
  }
  return out;
}

export class SchemaHelp {
  constructor(private readonly root: Schema) {}

  /** What a schema may mean, its references followed. */
  private meanings(schema: Schema | undefined): Schema[] {
    if (!schema) return [];
    const own = schema.properties || schema.items || schema.const !== undefined || schema.enum || schema.type ? [schema] : [];
    const to = schema.$ref ? this.root.$defs?.[schema.$ref.split("/").pop()!] : undefined;
    return [
      ...own,
      ...this.meanings(to),
      ...[...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap((one) => this.meanings(one)),
    ];
  }

  /** Of several kinds of an object those that fit what is written of it. */
  private fitting(state: EditorState, object: SyntaxNode, schemas: readonly Schema[]): Schema[] {
    const written = members(state, object);
    const objects = schemas.filter(({ properties, additionalProperties }) => properties || typeof additionalProperties === "object");
    const same = objects.filter(({ properties }) => {
      const kind = properties?.kind?.const;
      return kind === undefined || !written.has("kind") || kind === written.get("kind");
    });
    return same.length ? same : objects;
  }

  /** What may stand at a value of the tree. */
  private at(state: EditorState, value: SyntaxNode): Schema[] {
    const parent = value.parent;
    if (!parent || parent.name === "JsonText") return this.meanings(this.root);
    if (parent.name === "Array") return this.at(state, parent).flatMap(({ items }) => this.meanings(items));
    if (parent.name !== "Property") return [];
    const name = parent.getChild("PropertyName");
    const object = parent.parent;
    return name && object ? this.ofMember(state, object, unquoted(textOf(state, name))) : [];
  }

  private ofMember(state: EditorState, object: SyntaxNode, name: string): Schema[] {
    return this.fitting(state, object, this.at(state, object)).flatMap(({ properties, additionalProperties }) =>
      this.meanings(properties?.[name] ?? (typeof additionalProperties === "object" ? additionalProperties : undefined)),
    );
  }

  /** The words on a member, of the field itself before those of what it refers to. */
  private words(state: EditorState, object: SyntaxNode, name: string): string {
    const fields = this.fitting(state, object, this.at(state, object)).map(({ properties }) => properties?.[name]);
    const said = fields.map((field) => field?.description ?? this.meanings(field)[0]?.description ?? "");
    return [...new Set(said.filter((text) => text))].join(" ");
  }

  complete(context: CompletionContext): CompletionResult | null {
    const { state, pos } = context;
    const node = nodeAt(state, pos, -1);
    const word = context.matchBefore(/"?[A-Za-z0-9_./-]*$/);
    if (!word || (word.from === word.to && !context.explicit)) return null;
    // what is half written is no node yet: the line tells a value from a name
    let object: SyntaxNode | null = node;
    while (object && object.name !== "Object") object = object.name === "Array" ? null : object.parent;
    if (!object) return null;
    const line = state.doc.lineAt(pos);
    const member = /"([^"\\]+)"\s*:\s*"?[A-Za-z0-9_./-]*$/.exec(line.text.slice(0, pos - line.from))?.[1];
    return member === undefined ? this.names(state, object, word) : this.values(state, object, member, word);
  }

  private names(state: EditorState, object: SyntaxNode, word: { from: number; text: string }): CompletionResult {
    const written = members(state, object);
    const fields = new Map<string, boolean>();
    for (const { properties, required } of this.fitting(state, object, this.at(state, object)))
      for (const name of Object.keys(properties ?? {}))
        if (!written.has(name) || word.text.includes(name)) fields.set(name, (required ?? []).includes(name));
    return {
      from: word.from,
      options: [...fields].map(([name, needed]) => ({
        label: `"${name}"`,
        apply: `"${name}": `,
        detail: needed ? "needed" : "",
        boost: needed ? 1 : 0,
        info: () => element("div", "cm-help", this.words(state, object, name)),
      })),
    };
  }

  private values(state: EditorState, object: SyntaxNode, name: string, word: { from: number }): CompletionResult | null {
    const meanings = this.ofMember(state, object, name);
    const found = new Map<string, string>();
    for (const { const: only, enum: some, type, description } of meanings) {
      for (const value of [...(some ?? []), ...(only === undefined ? [] : [only])]) found.set(JSON.stringify(value), description ?? "");
      if (type === "boolean") for (const value of ["true", "false"]) found.set(value, description ?? "");
    }
    // names of what is declared: shapes, materials, bodies
    if (meanings.some(({ type }) => type === "string"))
      for (const declared of this.declared(state, name)) found.set(JSON.stringify(declared), "of this scene");
    if (!found.size) return null;
    return { from: word.from, options: [...found].map(([label, info]) => ({ label, info })) };
  }

  /** Names that the text itself gives to shapes, materials and bodies. */
  private declared(state: EditorState, field: string): string[] {
    let text: Record<string, unknown>;
    try {
      text = JSON.parse(state.doc.toString().replace(/^\s*\/\/.*$/gm, "")) as Record<string, unknown>;
    } catch {
      return [];
    }
    if (field === "material" || field === "shape") return Object.keys((text[`${field}s`] as object | undefined) ?? {});
    const bodies = Array.isArray(text.bodies) ? (text.bodies as { name?: string }[]) : [];
    return /^(body|body_a|body_b|target|to)$/.test(field) ? bodies.flatMap(({ name }) => name ?? []) : [];
  }

  /** What the member at a place means. */
  wordsAt(state: EditorState, pos: number): { from: number; to: number; title: string; text: string } | null {
    let node: SyntaxNode | null = nodeAt(state, pos, 1);
    while (node && node.name !== "Property") node = ["Object", "Array"].includes(node.name) ? null : node.parent;
    const name = node?.getChild("PropertyName");
    if (!node?.parent || !name) return null;
    const title = unquoted(textOf(state, name));
    const kind = node.lastChild?.name === "String" && title === "kind" ? unquoted(textOf(state, node.lastChild)) : "";
    const ofKind = kind ? this.fitting(state, node.parent, this.at(state, node.parent)).map(({ description }) => description ?? "") : [];
    const text = ofKind.join(" ") || this.words(state, node.parent, title);
    return text ? { from: node.from, to: node.to, title: kind || title, text } : null;
  }

  get hover() {
    return hoverTooltip((view, pos): Tooltip | null => {
      const found = this.wordsAt(view.state, pos);
      if (!found) return null;
      return {
        pos: found.from,
        end: found.to,
        above: true,
        create: () => ({ dom: element("div", "cm-help", element("b", "", found.title), " ", found.text) }),
      };
    });
  }
}
