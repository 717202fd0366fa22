/** The compendium of policies: laws, rules, standards and notices, published by the platform and by authorities. Words and limits. */

export const policyLevels = { '1': '国家', '2': '省级', '3': '市级', '4': '区县' } as const
export type PolicyLevel = keyof typeof policyLevels
export const policyCategories = {
  law: '法律法规',
  rule: '部门规章',
  normative: '规范性文件',
  standard: '标准',
  notice: '通知',
  reading: '解读',
} as const
export type PolicyCategory = keyof typeof policyCategories
export const policyValidities = { '1': '现行有效', '2': '已修改', '3': '已废止' } as const
export type PolicyValidity = keyof typeof policyValidities
export const policyStates = { '0': '草稿', '1': '已发布', '2': '已下架' } as const
export const policyStateOf = { draft: '0', published: '1', withdrawn: '2' } as const
export const validityOf = { valid: '1', amended: '2', repealed: '3' } as const
/** How a later text ends or changes an earlier one. */
export const policyLinks = { amend: '修改', repeal: '废止' } as const
export type PolicyLink = keyof typeof policyLinks

/** Most texts a group keeps on top, files of a text, texts of one import, and earlier texts that one text replaces. */
export const mostOnTop = 5
export const mostPolicyFiles = 20
export const mostImported = 30
export const mostReplaced = 20
/** Characters of a text, with its markup. */
export const longestPolicy = 400_000

/** A document number as it is compared: `建安〔2026〕 3 号` and `建安[2026]3号` are the same. */
export function normalDocNo(docNo: string): string {
  return docNo
    .normalize('NFKC')
    .replace(/[〔［【[(（]/g, '〔')
    .replace(/[〕］】\])）]/g, '〕')
    .replace(/\s+/g, '')
    .toUpperCase()
}

const docNoPattern = /[\p{Script=Han}A-Za-z]{1,12}\s*[〔[［【(（]\s*(?:19|20)\d{2}\s*[〕\]］】)）]\s*(?:第\s*)?\d{1,4}\s*号?/u
const standardPattern = /\b(?:GB|JGJ|CJJ|DB\d{0,2}|CECS|T)(?:\/T)?\s?\/?[A-Z]{0,4}\s?\d{1,5}(?:\.\d+)?[-—–]\d{4}/i

/** Title and document number guessed from the name of a file, to be confirmed by a person. */
export function guessPolicy(fileName: string): { title: string; docNo: string | null } {
  const bare = fileName.replace(/\.[a-z0-9]{2,4}$/i, '').replace(/_/g, ' ')
  const found = docNoPattern.exec(bare) ?? standardPattern.exec(bare)
  const title = (found ? bare.replace(found[0], ' ') : bare)
    .replace(/[（(【[]\s*[）)】\]]/g, ' ')
    .replace(/^[\s\d、.．-]+(?=\p{Script=Han})|[\s-]+$/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  return { title: title || bare.trim(), docNo: found ? found[0].trim() : null }
}
