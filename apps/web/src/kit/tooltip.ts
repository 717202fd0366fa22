const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/**
 * Lines of a chart's tooltip, HTML-escaped. The chart inserts a formatter's result as HTML, and names entered by users may contain markup.
 * Every tooltip formatter must use this.
 */
export const tooltipLines = (...lines: readonly string[]): string =>
  lines.map((line) => line.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter)).join('<br/>')
