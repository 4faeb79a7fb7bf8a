import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { layersRule } from './eslint-layers.js';

export default defineConfig(
  { ignores: ['node_modules', 'dist', 'dist-sample', 'coverage', 'docs/api', '.snippets'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { layers: { rules: { 'imports-go-down': layersRule } } },
    rules: {
      eqeqeq: 'error',
      'no-constructor-return': 'error',
      'no-self-compare': 'error',
      'no-unreachable-loop': 'error',
      'object-shorthand': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // Nest modules are classes with nothing but a decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // `Promise<Reply | void>` is how an agent says "a reply or nothing" without having to return undefined.
      '@typescript-eslint/no-invalid-void-type': 'off',
      // An abstract class is an interface and a token; what implements one need not extend it.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // A method of a promise-shaped contract is `async` so that what it throws becomes a rejection.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['lib/**/*.ts'],
    rules: {
      'no-console': 'error',
      'layers/imports-go-down': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
    },
  },
  {
    // No Nest and no HTTP: the protocol layer would run in any JavaScript.
    files: ['lib/protocol/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^[^.]', message: 'lib/protocol/ imports no package' }] },
      ],
    },
  },
  {
    // The engine knows no wire, and heavy packages load when an option first needs them.
    files: ['lib/**/*.ts'],
    ignores: ['lib/protocol/**', 'lib/http/**', 'lib/testing/**', '**/*.spec.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'URL', property: 'canParse', message: 'It fails at times in Node 20: use parseUrl()' },
      ],
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: ['express', 'fastify', '@nestjs/platform-express', '@nestjs/platform-fastify'].map(
            (name) => ({
              name,
              message: 'What differs between the adapters stays in lib/http/',
              allowTypeImports: true,
            }),
          ),
        },
      ],
    },
  },
  {
    // What a reader copies imports what a reader has.
    files: ['sample/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '(^|/)\\.\\./.*(lib|dist)/', message: "Samples import from 'nest-a2a'" }] },
      ],
    },
  },
  {
    // Tests read answers whose type only their assertions know, and count on what they have just arranged.
    files: ['**/*.spec.ts', 'test/**/*.ts', 'lib/testing/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/only-throw-error': 'off',
      '@typescript-eslint/prefer-promise-reject-errors': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
    },
  },
);
