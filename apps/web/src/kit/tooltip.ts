const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/**
 * Lines of a chart's tooltip. What a tooltip's formatter answers is markup to the chart: names that people give are text in it, whatever
 * they contain. Every formatter of a tooltip answers with this.
 */
export const tooltipLines = (...lines: readonly string[]): string =>
  lines.map((line) => line.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter)).join('<br/>')
