import sanitize from 'sanitize-html'

const kept = [
  'h1',
  'h2',
  'h3',
  'h4',
  'p',
  'br',
  'hr',
  'strong',
  'b',
  'em',
  'i',
  'u',
  's',
  'sub',
  'sup',
  'blockquote',
  'ul',
  'ol',
  'li',
  'a',
]
const ofTables = ['table', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td']
const spans = ['colspan', 'rowspan']
const ends = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'li', 'tr', 'blockquote', 'br', 'table'])

export interface RichText {
  /** What may be shown: headings, paragraphs, lists, tables, emphasis and links to other sites. */
  html: string
  /** The same without markup, one line per paragraph, for searches and previews. */
  text: string
}

/**
 * Filters HTML that people typed or pasted. Scripts, styles, frames, pictures, forms, event handlers and addresses other than http, https,
 * mailto and tel are removed; text inside unknown elements stays.
 */
export function richText(dirty: string): RichText {
  const html = sanitize(dirty, {
    allowedTags: [...kept, ...ofTables],
    allowedAttributes: { a: ['href', 'rel', 'target'], td: spans, th: spans, ol: ['start'] },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowProtocolRelative: false,
    nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title', 'xml', 'svg', 'math', 'iframe', 'object', 'template'],
    transformTags: {
      a: (_name, { href = '' }) => ({ tagName: 'a', attribs: { href, rel: 'noopener noreferrer nofollow', target: '_blank' } }),
    },
  }).trim()
  return { html, text: textOf(html) }
}

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

/** The text of filtered HTML. */
function textOf(html: string): string {
  return html
    .replace(/<\/?([a-z][a-z0-9]*)\b[^>]*>/g, (_tag, name: string) => (ends.has(name) ? '\n' : ''))
    .replace(/&(?:amp|lt|gt|quot);/g, (one) => entities[one] ?? one)
    .replace(/[ \t\u00a0]+/g, ' ')
    .replace(/ ?\n[\s]*/g, '\n')
    .trim()
}
