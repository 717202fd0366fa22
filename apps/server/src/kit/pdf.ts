import { createWriteStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import PDFDocument from 'pdfkit'
import encodeQr from 'qr'

/**
 * The full Noto Sans SC font (SIL Open Font License 1.1, licence beside it), the only typeface the server draws with. A subset would lack
 * characters that occur in names.
 */
export const fontFile = fileURLToPath(new URL('../../assets/fonts/NotoSansSC-Regular.ttf', import.meta.url))

export interface PdfOptions {
  title: string
  /** Shown below the title: content, date, author. */
  subtitle?: string
  paper?: 'A4' | 'A3'
  landscape?: boolean
  /** Shown at the foot of each page, beside its number. */
  foot?: string
}

export interface PdfColumn<Row> {
  title: string
  /** Share of the width, relative to the other columns. */
  width: number
  align?: 'left' | 'center' | 'right'
  value: (row: Row) => string | number | null | undefined
}

/** A seat for a signature on paper. */
export interface Drawn {
  role: string
  /** PNG; without it the line stays blank. */
  image?: Buffer | undefined
  /** Below the line. */
  note?: string
}

/** Points (1/72 inch). */
const margin = 36
const sizes = { title: 16, heading: 12, text: 9, small: 8 }
const cell = { x: 4, y: 3 }
const colours = { text: '#1f2329', second: '#5c6370', line: '#c9cdd4', head: '#f2f3f5' }
const signs = { height: 76, image: 40, line: 120, gap: 8 }
const photos = { across: 3, gap: 8, height: 104, caption: 22 }
/** Number of table rows after which the event loop runs other work. */
const breathRows = 40
/** Characters that file systems refuse in names. */
const notInNames = /[\\/:*?"<>|\s]+/g
/** Smallest font size, in points, when a text is shrunk to fit. */
const leastSize = 4
/** Limits of the note about missing glyphs: number of texts, and characters of each. */
const mostReported = 20
const longReported = 40

/**
 * A printed document: head, paragraphs, facts, tables with their head on each page, QR codes, signature lines. Content that does not fit
 * goes to the next page. Lengths are in points. `document` is for content drawn directly with pdfkit.
 */
export class Pdf {
  readonly document: PDFKit.PDFDocument
  /** A file name without extension. */
  readonly name: string
  private readonly foot: string
  private readonly title: string
  /** Texts with characters missing in the font, in drawing order. */
  private readonly lacking = new Set<string>()
  /** Cache: whether the font has a glyph. */
  private readonly glyphs = new Map<number, boolean>()

  constructor({ title, subtitle, paper = 'A4', landscape = false, foot = '' }: PdfOptions) {
    this.foot = foot
    this.name = [title, subtitle].filter(Boolean).join(' ').replace(notInNames, '_')
    this.title = title
    this.document = new PDFDocument({
      size: paper,
      layout: landscape ? 'landscape' : 'portrait',
      // The foot is drawn in the lower margin.
      margins: { top: margin, left: margin, right: margin, bottom: margin + sizes.small },
      bufferPages: true,
      font: fontFile,
      info: { Title: title, Creator: '筑工' },
      lang: 'zh-CN',
    })
    this.watch()
    this.document.fillColor(colours.text).strokeColor(colours.line).lineWidth(0.5)
    this.document.fontSize(sizes.title).text(title, { align: 'center' })
    if (subtitle) this.small(subtitle, 'center')
    this.document.moveDown(0.5)
  }

  /** Wraps pdfkit's text output, so that missing glyphs are reported at the end of the document. */
  private watch(): void {
    const { document, lacking } = this
    const text = document.text.bind(document) as (...drawn: unknown[]) => PDFKit.PDFDocument
    document.text = ((drawn: string, ...rest: unknown[]) => {
      if (this.missingIn(drawn).length > 0) lacking.add(drawn)
      return text(drawn, ...rest)
    }) as typeof document.text
  }

  /** Characters of a text that are missing in the font. */
  missingIn(text: string): string[] {
    return [...new Set(text)].filter((one) => one > '~' && !this.hasGlyph(one.codePointAt(0) ?? 0))
  }

  private hasGlyph(code: number): boolean {
    const known = this.glyphs.get(code)
    if (known !== undefined) return known
    const { _font } = this.document as unknown as { _font: { font: { hasGlyphForCodePoint(code: number): boolean } } }
    const has = _font.font.hasGlyphForCodePoint(code)
    this.glyphs.set(code, has)
    return has
  }

  /** The text with its missing characters as code points: `戴□（□ 为 U+20BB7）`. */
  spelled(text: string): string {
    const missing = this.missingIn(text)
    if (missing.length === 0) return text
    const shown = missing.reduce((now, one) => now.replaceAll(one, '□'), text)
    return `${shown}（□ 为 ${missing.map((one) => `U+${one.codePointAt(0)?.toString(16).toUpperCase()}`).join('、')}）`
  }

  /** Draws a text in a box, wrapped, shrinking the font until all of it fits. */
  fitted(text: string, box: { x: number; y: number; width: number; height: number; size: number }): void {
    const { x, y, width, height } = box
    let size = box.size
    this.document.fontSize(size)
    while (size > leastSize && this.document.heightOfString(text, { width }) > height) {
      size -= 0.5
      this.document.fontSize(size)
    }
    this.document.text(text, x, y, { width })
  }

  get left(): number {
    return margin
  }
  get width(): number {
    return this.document.page.width - 2 * margin
  }
  private get bottom(): number {
    return this.document.page.height - margin - sizes.small
  }

  /** Starts the next page unless `height` points are left on this one. */
  room(height: number): void {
    if (this.document.y + height > this.bottom) this.document.addPage()
  }

  /** Starts the next page. */
  nextPage(): void {
    this.document.addPage()
  }

  heading(text: string): void {
    this.room(60)
    this.document.moveDown(0.6).fillColor(colours.text).fontSize(sizes.heading).text(text, this.left).moveDown(0.3)
  }

  paragraph(text: string): void {
    this.document.fillColor(colours.text).fontSize(sizes.text).text(text, this.left, undefined, { width: this.width })
  }

  small(text: string, align: 'left' | 'center' | 'right' = 'left'): void {
    this.document.fillColor(colours.second).fontSize(sizes.small).text(text, this.left, undefined, { width: this.width, align })
    this.document.fillColor(colours.text)
  }

  /** Draws names and values side by side, several pairs a line. A missing value is shown as `—`. */
  facts(pairs: readonly (readonly [label: string, value: string | number | null | undefined])[], perLine = 2): void {
    const width = this.width / perLine
    const label = 76
    for (let i = 0; i < pairs.length; i += perLine) {
      const line = pairs.slice(i, i + perLine)
      const texts = line.map(([, value]) => written(value) || '—')
      this.document.fontSize(sizes.text)
      const height = Math.max(...texts.map((text) => this.document.heightOfString(text, { width: width - label - cell.x }))) + 2 * cell.y
      this.room(height)
      const y = this.document.y
      for (const [n, [name]] of line.entries()) {
        const x = this.left + n * width
        this.document.fillColor(colours.second).text(name, x, y + cell.y, { width: label - cell.x, lineBreak: false })
        this.document.fillColor(colours.text).text(texts[n] ?? '', x + label, y + cell.y, { width: width - label - cell.x })
      }
      this.document.y = y + height
    }
  }

  /** Draws a table with lines, its head repeated on each page. Returns the number of rows. */
  async table<Row>(columns: readonly PdfColumn<Row>[], rows: Iterable<Row> | AsyncIterable<Row>): Promise<number> {
    const parts = columns.reduce((sum, column) => sum + column.width, 0)
    const widths = columns.map((column) => (column.width / parts) * this.width)
    const titles = columns.map((column) => column.title)
    const middle = columns.map(() => 'center' as const)
    const aligned = columns.map((column) => column.align ?? 'left')
    const head = () => this.ruled(titles, widths, middle, colours.head)
    this.room(60)
    head()
    let count = 0
    for await (const row of rows) {
      const texts = columns.map((column) => written(column.value(row)))
      if (this.document.y + this.heightOf(texts, widths) > this.bottom) {
        this.document.addPage()
        head()
      }
      this.ruled(texts, widths, aligned)
      if (++count % breathRows === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    return count
  }

  private heightOf(texts: readonly string[], widths: readonly number[]): number {
    this.document.fontSize(sizes.small)
    const heights = texts.map((text, i) => this.document.heightOfString(text || ' ', { width: (widths[i] ?? 0) - 2 * cell.x }))
    return Math.max(...heights) + 2 * cell.y
  }

  private ruled(
    texts: readonly string[],
    widths: readonly number[],
    align: readonly ('left' | 'center' | 'right')[],
    ground?: string,
  ): void {
    const height = this.heightOf(texts, widths)
    const y = this.document.y
    let x = this.left
    for (const [i, text] of texts.entries()) {
      const width = widths[i] ?? 0
      if (ground) this.document.rect(x, y, width, height).fillAndStroke(ground, colours.line)
      else this.document.rect(x, y, width, height).stroke(colours.line)
      this.document
        .fillColor(colours.text)
        .text(text, x + cell.x, y + cell.y, { width: width - 2 * cell.x, height: height - cell.y, align: align[i] ?? 'left' })
      x += width
    }
    this.document.x = this.left
    this.document.y = y + height
  }

  /** Draws a QR code (ISO/IEC 18004, medium correction) with its upper left corner at (x, y). The text position does not change. */
  qr(text: string, x: number, y: number, size: number): void {
    const rows = encodeQr(text, 'raw', { ecc: 'medium', border: 2 })
    const dot = size / rows.length
    for (const [r, row] of rows.entries())
      for (const [c, isDark] of row.entries()) if (isDark) this.document.rect(x + c * dot, y + r * dot, dot, dot)
    this.document.fill('#000000').fillColor(colours.text)
  }

  /** Draws photographs with captions, three a line. */
  pictures(all: readonly { body: Buffer; caption: string }[]): void {
    const { across, gap, height, caption } = photos
    const width = (this.width - gap * (across - 1)) / across
    for (let i = 0; i < all.length; i += across) {
      this.room(height + caption + gap)
      const y = this.document.y
      for (const [n, one] of all.slice(i, i + across).entries()) {
        const x = this.left + n * (width + gap)
        this.document.image(one.body, x, y, { fit: [width, height], align: 'center', valign: 'center' })
        this.document.fillColor(colours.second).fontSize(sizes.small)
        this.document.text(one.caption, x, y + height + 2, { width, height: caption, align: 'center', ellipsis: true })
      }
      this.document.fillColor(colours.text)
      this.document.x = this.left
      this.document.y = y + height + caption + gap
    }
  }

  /** Draws signatures two a line: the drawing above the line, or a blank line to sign by hand, and a note (name and time, a refusal) below. */
  signed(all: readonly Drawn[], perLine = 2): void {
    const { height, image, line, gap } = signs
    const width = this.width / perLine
    for (let i = 0; i < all.length; i += perLine) {
      this.room(height)
      const top = this.document.y + gap
      for (const [n, one] of all.slice(i, i + perLine).entries()) {
        const x = this.left + n * width
        this.document.fillColor(colours.text).fontSize(sizes.text)
        this.document.text(`${one.role}：`, x, top + image - sizes.text - 2, { width: width / 2, lineBreak: false })
        const from = x + Math.min(width / 2, this.document.widthOfString(`${one.role}：`) + 2)
        if (one.image) this.document.image(one.image, from, top, { fit: [line, image], align: 'center', valign: 'bottom' })
        this.document
          .moveTo(from, top + image)
          .lineTo(Math.min(from + line, x + width - gap), top + image)
          .stroke(colours.text)
        if (one.note)
          this.fitted(one.note, { x, y: top + image + 3, width: width - gap, height: height - image - gap - 3, size: sizes.small })
      }
      this.document.fillColor(colours.text)
      this.document.x = this.left
      this.document.y = top + height - gap
    }
  }

  /** Draws signature lines side by side. */
  signatures(names: readonly string[]): void {
    const height = 60
    this.room(height)
    const y = this.document.y + 24
    const width = this.width / names.length
    this.document.fontSize(sizes.text)
    for (const [i, name] of names.entries())
      this.document.text(`${name}：________________`, this.left + i * width, y, { width, lineBreak: false })
    this.document.x = this.left
    this.document.y = y + height - 24
  }

  /** Numbers the pages and writes the file. Rejects when the file cannot be written. */
  async writeTo(path: string): Promise<void> {
    this.finish()
    const written = pipeline(this.document, createWriteStream(path, { mode: 0o640 }))
    this.document.end()
    await written
  }

  /** Numbers the pages and returns the file as bytes, for an immediate response. */
  async bytes(): Promise<Buffer> {
    this.finish()
    const whole = buffer(this.document)
    this.document.end()
    return whole
  }

  private finish(): void {
    this.tellLacking()
    this.number()
  }

  private tellLacking(): void {
    if (this.lacking.size === 0) return
    const reported = [...this.lacking]
      .slice(0, mostReported)
      .map((text) => this.spelled(text.length > longReported ? `${text.slice(0, longReported)}…` : text))
    this.room(sizes.small * 4)
    this.document.moveDown(0.5)
    this.small(
      `打印字库没有的字印作空框，请手写补上：${reported.join('；')}${this.lacking.size > mostReported ? ` 等 ${this.lacking.size} 处` : ''}`,
    )
  }

  private number(): void {
    const { start, count } = this.document.bufferedPageRange()
    for (let n = 0; n < count; n++) {
      this.document.switchToPage(start + n)
      // Draw below the bottom margin, where text would otherwise start a new page.
      this.document.page.margins.bottom = 0
      const y = this.document.page.height - margin
      this.document.fillColor(colours.second).fontSize(sizes.small)
      this.document.text(this.foot || this.title, this.left, y, { width: this.width, lineBreak: false })
      this.document.text(`第 ${n + 1} 页，共 ${count} 页`, this.left, y, { width: this.width, align: 'right', lineBreak: false })
    }
  }
}

const written = (value: string | number | null | undefined): string => (value === null || value === undefined ? '' : String(value))
