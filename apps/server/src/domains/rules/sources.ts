/** Extracts the standards behind a default limit for display; the full remark of the catalogue is for its maintainers. */
const clauses = /(?:GB(?:\/T)?|JGJ|JT\/T|HJ|DB\d\d)[ /]\d+(?:\.\d)?(?:-\d{4})?(?: table \d[\d.]*\d| class \d| \d+(?:\.\d+)+)?/g
const phrases: readonly [RegExp, string][] = [
  [/heatstroke prevention/, '防暑降温措施管理办法（2012）'],
  [/Road Traffic Safety Law/, '道路交通安全法实施条例'],
  [/epidemic prevention/, '2020 年防疫做法'],
  [/six 100 % rule/, '扬尘治理六个百分之百'],
  [/common (?:project value|setting)|some editions/, '工程常用值'],
  [/vendor standard event/, '设备自带事件'],
]

/** GB 50497-2019 table 8.0.4 (grade 1...) becomes GB 50497-2019 表 8.0.4; empty for limits defined by the product. */
export function sourceInWords(source: string): string {
  const found = (source.match(clauses) ?? []).map((c) => c.replace(' table ', ' 表 ').replace(/ class (\d)/, ' $1 类'))
  const said = phrases.flatMap(([phrase, words]) => (phrase.test(source) ? [words] : []))
  return [...new Set([...found, ...said])].join('；')
}
