import { AppError } from '@zhugong/contract/kit/errors'
import { writeZip, type ZipEntry } from '#kit/zip'
import type { Print, PrintContext } from './registry.ts'

type Tell = (progress: number, done: number) => Promise<unknown>

/** Draws several papers into one archive, one after another. Returns their number. Throws AppError when one cannot be drawn. */
export async function writePapers(print: Print, ctx: PrintContext, query: unknown, path: string, tell: Tell): Promise<number> {
  if (!print.several) throw new AppError('refused', '没有这个导出')
  const each = print.several.parse(query)
  async function* papers(): AsyncIterable<ZipEntry> {
    for (const [at, one] of each.entries()) {
      const pdf = await print.draw(ctx, one)
      yield { name: `${pdf.name}.pdf`, data: await pdf.bytes() }
      await tell(Math.min(99, Math.floor(((at + 1) / each.length) * 100)), at + 1)
    }
  }
  return writeZip(path, papers())
}
