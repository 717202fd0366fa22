import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns a function that gives the web's page for a path. Its head preloads the files of that path (listed by the build in `pages.json`),
 * so that the browser fetches them together with the common ones. Undefined when the web was not built.
 */
export function webPage(webRoot: string): ((path: string) => string) | undefined {
  const file = join(webRoot, 'index.html')
  if (!existsSync(file)) return undefined
  const page = readFileSync(file, 'utf8')
  const list = join(webRoot, 'pages.json')
  const files = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as Record<string, string[]>) : {}
  const pages = new Map(
    Object.entries(files).map(([path, needed]) => [path, page.replace('</head>', `${needed.map(link).join('')}</head>`)]),
  )
  return (path) => pages.get(path.length > 1 ? path.replace(/\/+$/, '') : path) ?? page
}

const link = (file: string) =>
  file.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="/${file}">`
    : `<link rel="modulepreload" crossorigin href="/${file}">`
