import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LIB = `${ROOT}lib/`;

/** The public surface of an entry point, as users' compilers see it. */
export interface EntryPoint {
  /** What users import from. */
  readonly name: string;
  readonly declarations: readonly PublicDeclaration[];
}

export interface PublicDeclaration {
  readonly name: string;
  /** Without comments, bodies and private members. */
  readonly text: string;
  /** Names of the library that the declaration mentions and that users cannot import. */
  readonly missing: readonly string[];
  readonly mentionsAny: boolean;
}

/** Reads the public surface from the sources, by way of the declarations that a build would write. */
export function readPublicApi(entries: Readonly<Record<string, string>>): EntryPoint[] {
  const program = declarationProgram(Object.values(entries).map((file) => LIB + file));
  const checker = program.getTypeChecker();
  const exportsOf = (file: string) =>
    checker
      .getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(declarationOf(LIB + file))!)!)
      .map((symbol) => ({ symbol, target: withoutAlias(checker, symbol) }));
  const exported = new Set(
    Object.values(entries).flatMap((file) => exportsOf(file).map(({ target }) => target)),
  );
  return Object.entries(entries).map(([name, file]) => ({
    name,
    declarations: exportsOf(file)
      .map(({ symbol, target }) => describeExport(checker, symbol, target, exported))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  }));
}

function describeExport(
  checker: ts.TypeChecker,
  symbol: ts.Symbol,
  target: ts.Symbol,
  exported: ReadonlySet<ts.Symbol>,
): PublicDeclaration {
  const missing = new Set<string>();
  let mentionsAny = false;
  const visit = (node: ts.Node): void => {
    if (isPrivate(node)) return;
    if (node.kind === ts.SyntaxKind.AnyKeyword) mentionsAny = true;
    const named = isReference(node) ? checker.getSymbolAtLocation(node) : undefined;
    if (named) {
      const meant = withoutAlias(checker, named);
      if (isTopLevelOfLibrary(meant) && !exported.has(meant)) missing.add(meant.name);
    }
    ts.forEachChild(node, visit);
  };
  const texts = (target.declarations ?? []).map((declaration) => {
    // `const x: T` is declared by a statement around it.
    const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
    visit(statement);
    return print(statement);
  });
  if (isTypeOnly(symbol) && target.flags & ts.SymbolFlags.Value) texts.unshift('// as a type only');
  return { name: symbol.name, text: texts.join('\n'), missing: [...missing], mentionsAny };
}

/** A program of what the compiler would write to `dist/`, and of the packages that it mentions. */
function declarationProgram(files: readonly string[]): ts.Program {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, (name) => ts.sys.readFile(name));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  Object.assign(options, {
    noEmit: false,
    emitDeclarationOnly: true,
    sourceMap: false,
    stripInternal: true,
    types: [],
    paths: {},
  });
  const host = ts.createCompilerHost(options);
  // Packages take most of the time. Only what the compiler must infer from them would miss them, as an "any".
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) => ({
      resolvedModule: text.startsWith('.')
        ? {
            resolvedFileName: resolve(
              dirname(from),
              text.replace(/\.js$/, from.endsWith('.d.ts') ? '.d.ts' : '.ts'),
            ),
            extension: ts.Extension.Ts,
          }
        : undefined,
    }));
  const parsed = new Map<string, ts.SourceFile | undefined>();
  const parse = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) => {
    if (!parsed.has(name)) parsed.set(name, parse(name, ...rest));
    return parsed.get(name);
  };
  const source = ts.createProgram(files, options, host);
  // Only what the entry points reach is written.
  const write = (name: string): string | undefined => {
    let text: string | undefined;
    const file = source.getSourceFile(name.replace(/\.d\.ts$/, '.ts'));
    source.emit(file, (_name, written) => (text = written), undefined, true);
    return text;
  };
  const parseReal = host.getSourceFile;
  host.getSourceFile = (name, languageVersion, ...rest) => {
    if (!name.startsWith(LIB)) return parseReal(name, languageVersion, ...rest);
    const text = write(name);
    return text === undefined ? undefined : ts.createSourceFile(name, text, languageVersion);
  };
  return ts.createProgram(files.map(declarationOf), { ...options, noEmit: true }, host);
}

function declarationOf(file: string): string {
  return file.replace(/\.ts$/, '.d.ts');
}

function withoutAlias(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** Not a type parameter or a member, and not from a package. */
function isTopLevelOfLibrary(symbol: ts.Symbol): boolean {
  return (symbol.declarations ?? []).some((declaration) => {
    const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
    return ts.isSourceFile(statement.parent) && statement.parent.fileName.startsWith(LIB);
  });
}

/** A name in a type, or of a base class. */
function isReference(node: ts.Node): boolean {
  return (
    ts.isIdentifier(node) && (ts.isPartOfTypeNode(node) || ts.isExpressionWithTypeArguments(node.parent))
  );
}

function isTypeOnly(symbol: ts.Symbol): boolean {
  return (symbol.declarations ?? []).some(ts.isTypeOnlyExportDeclaration);
}

function isPrivate(node: ts.Node): boolean {
  if (!ts.isClassElement(node)) return false;
  if (node.name && ts.isPrivateIdentifier(node.name)) return true;
  return (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) !== 0;
}

function print(node: ts.Node): string {
  const printer = ts.createPrinter({ removeComments: true });
  return printer
    .printNode(ts.EmitHint.Unspecified, withoutPrivates(node), node.getSourceFile())
    .replace(/^declare |^export (declare )?/, '');
}

function withoutPrivates(node: ts.Node): ts.Node {
  if (!ts.isClassDeclaration(node)) return node;
  const { modifiers, name, typeParameters, heritageClauses, members } = node;
  const open = members.filter((member) => !isPrivate(member));
  return ts.factory.updateClassDeclaration(node, modifiers, name, typeParameters, heritageClauses, open);
}
