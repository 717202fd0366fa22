import { timingSafeEqual } from 'node:crypto'
import { AppError } from '@zhugong/contract/kit/errors'
import { checkPaper } from '@zhugong/contract/process/papers'
import { formatDay } from '#kit/clock'
import type { Db } from '#kit/db'
import type { Pdf } from '#kit/pdf'
import type { Secrets } from '#kit/secret'
import type { Serve } from '#kit/serve'
import { contentHash } from './signatures.ts'

/** A paper as a stranger who holds it may know it. */
interface Paper {
  title: string
  number: string
  issuer: string
  date: Date | null
  projectName: string
  revoked: boolean
  /** What is printed. */
  content: unknown
}
type Read = (ctx: { db: Db }, id: string) => Promise<Paper | undefined>

const readers = new Map<string, Read>()
/** Makes a kind of paper verifiable. `name`: 2 to 12 small letters; `id`: letters, digits, `_` and `-`. */
export function registerPaper(name: string, read: Read): void {
  readers.set(name, read)
}

const digestShown = 16
const macShown = 32
const macOf = (secrets: Pick<Secrets, 'sign'>, text: string) => secrets.sign('paper', text).slice(0, macShown)

/** The token of a paper with this content: who changes a sign of it, or makes one up from a number, has none. */
function tokenOf(secrets: Pick<Secrets, 'sign'>, name: string, id: string, content: unknown): string {
  const text = `${name}.${id}.${contentHash(content).slice(0, digestShown)}`
  return `${text}.${macOf(secrets, text)}`
}

const qrSize = 76
const beside = 8

/** Draws the QR code by which anybody verifies the paper on a public page. `publicUrl`: the installation's address, if configured. */
export function drawVerifyCode(
  pdf: Pdf,
  secrets: Pick<Secrets, 'sign'>,
  publicUrl: string | undefined,
  { name, id, content }: { name: string; id: string; content: unknown },
): void {
  pdf.room(qrSize + beside)
  const { document } = pdf
  const y = document.y + beside
  pdf.qr(`${publicUrl ?? ''}/verify?t=${tokenOf(secrets, name, id, content)}`, pdf.left, y, qrSize)
  document.y = y + qrSize
  pdf.small(`扫码核验：编号、状态与内容摘要 ${contentHash(content).slice(0, digestShown)} 与平台一致即为有效。`)
}

export function processRoutes(serve: Serve): void {
  serve.open(checkPaper, async ({ query: { t } }, ctx) => {
    const [name = '', id = '', digest = '', mac = ''] = t.split('.')
    const expected = macOf(ctx.secrets, `${name}.${id}.${digest}`)
    const isOurs = expected.length === mac.length && timingSafeEqual(Buffer.from(expected), Buffer.from(mac))
    const paper = isOurs ? await readers.get(name)?.({ db: ctx.system }, id) : undefined
    if (!paper) throw new AppError('notFound', '没有这份文书：不是本平台出具的，或已不存在')
    const { content, date, ...head } = paper
    return { ...head, date: date && formatDay(date), same: contentHash(content).startsWith(digest), digest }
  })
}
