import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { submitExport } from '@zhugong/contract/exports/endpoints'
import { sql } from 'kysely'
import PDFDocument from 'pdfkit'
import { vi } from 'vitest'
import { runExport } from '#domains/exports/run-export'
import { systemClock } from '#kit/clock'
import { createLog } from '#kit/log'
import { Pdf } from '#kit/pdf'
import { createSecrets } from '#kit/secret'
import { type Caller, testSecretKey, type World } from './world.ts'

const draw = PDFDocument.prototype.text

/** Every text that a print draws and the address in its QR code, one a line; or the message with which it was refused. */
export async function printed(world: World, caller: Caller, feature: string, query: object): Promise<string> {
  const texts: string[] = []
  const drawing = vi.spyOn(PDFDocument.prototype, 'text').mockImplementation(function (this: PDFKit.PDFDocument, ...given: unknown[]) {
    texts.push(String(given[0]))
    return draw.apply(this, given as never)
  } as never)
  const coding = vi.spyOn(Pdf.prototype, 'qr').mockImplementation((address) => void texts.push(address))
  const folder = mkdtempSync(join(tmpdir(), 'zg-printed-'))
  try {
    const { id } = await caller.call(submitExport, { body: { feature, exportType: 'pdf', query } } as never)
    const deps = {
      database: world.database,
      clock: systemClock,
      secrets: createSecrets(testSecretKey),
      log: createLog('test', 'warn'),
      folder,
    }
    await runExport(deps, id)
    const { rows } = await sql<{ message: string }>`select message from export_task where id = ${id}`.execute(world.database.kysely)
    return rows[0]?.message || texts.join('\n')
  } finally {
    drawing.mockRestore()
    coding.mockRestore()
    rmSync(folder, { recursive: true })
  }
}

/** The token of a printed paper, by which anybody verifies it. */
export const tokenIn = (text: string): string => /\/verify\?t=(\S+)/.exec(text)?.[1] ?? ''
