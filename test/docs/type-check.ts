import ts from 'typescript';
import { ROOT } from './markdown.js';

// Parsing takes most of the time, and the same files are needed again.
const parsed = new Map<string, ts.SourceFile | undefined>();

/** Compiles files that exist only here, with the package's own settings; gives what the compiler says against them. */
export function typeCheck(files: ReadonlyMap<string, string>): string[] {
  const { options, host } = compiler();
  const readReal = {
    readFile: host.readFile,
    fileExists: host.fileExists,
    getSourceFile: host.getSourceFile,
  };
  host.readFile = (name) => files.get(name) ?? readReal.readFile.call(host, name);
  host.fileExists = (name) => files.has(name) || readReal.fileExists.call(host, name);
  // Else the compiler would not look for files in folders that do not exist.
  delete host.directoryExists;
  host.getSourceFile = (name, languageVersion, ...rest) => {
    const code = files.get(name);
    if (code === undefined) return readReal.getSourceFile.call(host, name, languageVersion, ...rest);
    return ts.createSourceFile(name, code, languageVersion, true);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()].flatMap((name) =>
    ts.getPreEmitDiagnostics(program, program.getSourceFile(name)).map((diagnostic) => {
      const { line } = diagnostic.file!.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
      return `${name.slice(ROOT.length)}:${line + 1}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ')}`;
    }),
  );
}

/** A property of an interface: its name and its doc comment. */
export interface Property {
  name: string;
  doc: string;
}

/** The properties of interfaces that a file of the project exports. */
export function propertiesOf(file: string, ...names: string[]): Property[][] {
  const { options, host } = compiler();
  const program = ts.createProgram([`${ROOT}${file}`], options, host);
  const checker = program.getTypeChecker();
  const exported = checker.getExportsOfModule(
    checker.getSymbolAtLocation(program.getSourceFile(`${ROOT}${file}`)!)!,
  );
  return names.map((name) => {
    const symbol = exported.find((candidate) => candidate.name === name);
    if (!symbol) throw new Error(`${file} exports no ${name}`);
    const declared = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return checker
      .getDeclaredTypeOfSymbol(declared)
      .getProperties()
      .map((property) => ({
        name: property.name,
        doc: ts.displayPartsToString(property.getDocumentationComment(checker)),
      }));
  });
}

function compiler(): { options: ts.CompilerOptions; host: ts.CompilerHost } {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, (name) => ts.sys.readFile(name));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  // A reader sees one snippet at a time: what it declares is for the others to use.
  Object.assign(options, { noUnusedLocals: false, noUnusedParameters: false, noEmit: true });
  const host = ts.createCompilerHost(options, true);
  const parse = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) => {
    if (!parsed.has(name)) parsed.set(name, parse(name, ...rest));
    return parsed.get(name);
  };
  return { options, host };
}
