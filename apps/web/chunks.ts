import { build, type InlineConfig, type Plugin } from 'vite'

/**
 * Which modules are put into one file. Left alone the bundler makes a file of each set of modules that exactly the same pages need: with
 * 230 pages a live page is then 150 files, and asking for them takes longer than running them. What is loaded together anyway lies
 * together here. Who needs what is known only after everything unused has been left out, so the web is bundled once to learn it.
 */
interface Loaded {
  /** Whatever page is opened. */
  boot: ReadonlySet<string>
  /** Around every page but the log-in pages. */
  frame: ReadonlySet<string>
  /** Lists are most of the pages. */
  list: ReadonlySet<string>
  /** Live pages of the families. */
  live: ReadonlySet<string>
  /** The log-in pages wait for nothing that others need. */
  doors: ReadonlySet<string>
}

/** A page that stands for those like it. */
const examples = {
  frame: /app\/(shell|queries)\.tsx$|home\/main-page\.tsx$/,
  list: /\/(team-list|stay-list)-page\.tsx$/,
  live: /\/(tower-monitor|lifter-monitor|pit-monitor)-page\.tsx$/,
  doors: /login-page\.tsx$/,
}

/** How many pages must need a module of an example, so that the others do not carry what is its alone. */
const shared = { list: 40, live: 12 }

interface Chunk {
  isEntry: boolean
  facade: string | null
  modules: string[]
  imports: string[]
}

async function learn(config: InlineConfig): Promise<Loaded> {
  const chunks = new Map<string, Chunk>()
  const listen: Plugin = {
    name: 'learn-what-is-loaded-together',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk')
          chunks.set(file.fileName, { isEntry: file.isEntry, facade: file.facadeModuleId, modules: file.moduleIds, imports: file.imports })
    },
  }
  await build({
    ...config,
    configFile: false,
    logLevel: 'error',
    plugins: [config.plugins, listen],
    build: { ...config.build, minify: false, write: false },
  })
  const modulesOf = (wanted: (chunk: Chunk) => boolean) => {
    const files = new Set([...chunks].flatMap(([name, chunk]) => (wanted(chunk) ? [name] : [])))
    // A set takes up what is added while it is gone through.
    for (const file of files) for (const next of chunks.get(file)?.imports ?? []) files.add(next)
    return new Set([...files].flatMap((file) => chunks.get(file)?.modules ?? []))
  }
  const likeThe = (example: RegExp) => modulesOf(({ facade }) => example.test(facade ?? ''))
  return {
    boot: modulesOf(({ isEntry }) => isEntry),
    frame: likeThe(examples.frame),
    list: likeThe(examples.list),
    live: likeThe(examples.live),
    doors: likeThe(examples.doors),
  }
}

/** The entry itself, what the bundler adds to it, and styles, which are files of their own. */
const staysOut = /\.css$|index\.html|src\/main\.tsx|preload/

/** For `output.codeSplitting` of the bundler. */
export async function chunks(config: InlineConfig) {
  const { boot, frame, list, live, doors } = await learn(config)
  const within = (modules: ReadonlySet<string>) => (id: string) => modules.has(id) && !doors.has(id) && !staysOut.test(id)
  return {
    // A module that a group needs stays where it would be, or each group would swallow half the product.
    includeDependenciesRecursively: false,
    groups: [
      // Run before the rest is, and so not in one file with it.
      { name: 'first', priority: 5, test: /src\/(app\/first|kit\/(ahead|session))\.ts$/ },
      { name: 'boot', priority: 4, test: (id: string) => boot.has(id) && !staysOut.test(id) },
      { name: 'frame', priority: 3, test: within(frame) },
      { name: 'list', priority: 2, minShareCount: shared.list, test: within(list) },
      { name: 'live', priority: 1, minShareCount: shared.live, test: within(live) },
    ],
  }
}
