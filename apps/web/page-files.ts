import type { Rolldown } from 'vite'
import { type Plugin, runnerImport } from 'vite'
import type { PageEntry } from './src/kit/pages.ts'

/**
 * Which files each address is made of, for the server: what it names in the head of the page is fetched together with what every page
 * needs. Without it a browser learns of a page's own files only once the product runs, and waits a second time.
 */
export const pageFilesName = 'pages.json'
/** The files of the pages that work without network, for the service worker. */
const fieldFilesName = 'field.json'

interface Registry {
  allPages: readonly PageEntry[]
  hostOf: (entry: PageEntry) => PageEntry
}

const frame = ['src/app/shell.tsx', 'src/app/queries.tsx']
/** Asks for the account. Nothing else is waited for: a script that is `async` runs as soon as it has come. */
const first = 'first'

export function pageFiles(root: string): Plugin {
  return {
    name: 'page-files',
    // After the bundler has taken out the files that were styles alone.
    enforce: 'post',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        const file = Object.values(bundle ?? {}).find((one) => one.type === 'chunk' && one.name === first)
        return file
          ? [
              {
                tag: 'script',
                attrs: { type: 'module', async: true, crossorigin: true, src: `/${file.fileName}` },
                injectTo: 'head-prepend',
              },
            ]
          : []
      },
    },
    async generateBundle(_, bundle) {
      const { module } = await runnerImport<Registry>(`${root}/src/app/routes.ts`, { root, configFile: false, logLevel: 'error' })
      const files = filesOf(
        bundle,
        root,
        module.allPages.flatMap((entry) => sourceOf(entry) ?? []),
      )
      const pages: Record<string, string[]> = {}
      for (const entry of module.allPages) {
        const framed = (entry.auth ?? 'shell') === 'shell'
        const parts = [...(framed ? frame : []), ...[entry, module.hostOf(entry)].flatMap((one) => sourceOf(one) ?? [])]
        const needed = [...new Set(parts.flatMap((part) => files(part)))]
        for (const path of [entry.path, ...(entry.aliases ?? [])]) if (!path.includes(':')) pages[path] = needed
      }
      const lost = Object.values(pages)
        .flat()
        .find((file) => !(file in bundle))
      if (lost !== undefined) throw new Error(`${lost} is named for a page and is not built`)
      const parts = module.allPages.filter((entry) => entry.offline).flatMap((entry) => sourceOf(entry) ?? [])
      const field = [...frame, ...parts].flatMap((part) => files(part, { lazily: true }))
      this.emitFile({ type: 'asset', fileName: fieldFilesName, source: JSON.stringify([...new Set(field)]) })
      this.emitFile({ type: 'asset', fileName: pageFilesName, source: JSON.stringify(pages) })
    },
  }
}

/** The module that `load` imports, as the function says it. */
const sourceOf = ({ load }: PageEntry) => /import__?\(["']\/([^"']+)["']/.exec(String(load))?.[1]

/** What a module's file brings along by itself, without what is in the entry's already. */
function filesOf(
  bundle: Rolldown.OutputBundle,
  root: string,
  pages: readonly string[],
): (source: string, also?: { lazily: boolean }) => string[] {
  const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
  const byName = new Map(chunks.map((one) => [one.fileName, one]))
  const holding = new Map(chunks.flatMap((one) => one.moduleIds.map((id) => [id, one.fileName] as const)))
  const entries = chunks.filter((one) => one.isEntry).map((one) => one.fileName)
  const ofPages = new Set(pages.flatMap((source) => holding.get(`${root}/${source}`) ?? []))
  const closureOf = (start: readonly string[], lazily = false) => {
    const all = new Set(start)
    // A set takes up what is added while it is gone through. Other pages are loaded later, too, and belong to none.
    for (const name of all) {
      const chunk = byName.get(name)
      const later = lazily ? (chunk?.dynamicImports ?? []).filter((one) => !ofPages.has(one)) : []
      for (const next of [...(chunk?.imports ?? []), ...later]) all.add(next)
    }
    return all
  }
  const everyPage = closureOf(entries)
  return (source, { lazily } = { lazily: false }) => {
    const name = holding.get(`${root}/${source}`)
    if (name === undefined) throw new Error(`${source} is loaded by a page and is in no file`)
    return [...closureOf([name], lazily)]
      .filter((one) => !everyPage.has(one))
      .flatMap((one) => [one, ...(byName.get(one)?.viteMetadata?.importedCss ?? [])])
  }
}
