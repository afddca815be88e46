import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['var/', 'dist/', 'coverage/'] },
  eslint.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: { allowDefaultProject: ['*.js'] }, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      // The validator moved to a package of its own; the parser accepts texts that are not well-formed.
      '@typescript-eslint/no-deprecated': [
        'error',
        { allow: [{ from: 'package', package: 'fast-xml-parser', name: 'XMLValidator' }] },
      ],
      'no-restricted-globals': [
        'error',
        { name: 'Date', message: 'Use the Clock that is passed in. Dates are parsed and formatted in src/text/.' },
      ],
      'no-restricted-properties': [
        'error',
        {
          object: 'URL',
          property: 'canParse',
          message: 'Returns wrong results in Node.js 20 after optimization. Use src/text/url.ts.',
        },
      ],
      'max-params': 'off',
      '@typescript-eslint/max-params': ['error', { max: 4 }],
      'no-else-return': 'error',
    },
  },
  // JSDoc comments have the types.
  { files: ['tools/**'], rules: { '@typescript-eslint/explicit-module-boundary-types': 'off' } },
  {
    files: [
      'test/**',
      'bench/**',
      '*.config.*',
      'src/text/date.ts',
      'src/text/iso-date.ts',
      'src/model/clock.ts',
      'src/explorer/client/**',
    ],
    rules: { 'no-restricted-globals': 'off' },
  },
  // The tests over HTTP outlive the program's parts: they start it through test/support/gateway, and import nothing of it.
  {
    files: [
      'test/{cases,oracle,failures,federation,freshness,interop,contract}/**',
      'test/cases.test.ts',
      'test/support/**',
    ],
    ignores: [
      'test/support/{gateway,unit}/**',
      // Parts that are tried with a program outside Node.js: formats with their readers, the store with Redis.
      'test/interop/{formats,docs-formats}.test.ts',
      'test/interop/redis/**',
    ],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { patterns: [{ group: ['**/src/**', '**/support/unit/**'], message: 'Use test/support/gateway.' }] },
      ],
    },
  },
  { files: ['*.js'], extends: [tseslint.configs.disableTypeChecked] },
);
