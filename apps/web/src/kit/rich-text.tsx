import './rich-text.css'

/** Filtered HTML of the server (`kit/rich-text.ts` there): headings, lists, tables, emphasis and links. */
export function RichText({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: filtered by the server before it is stored
  return <div className="zg-rich-text" dangerouslySetInnerHTML={{ __html: html }} />
}
