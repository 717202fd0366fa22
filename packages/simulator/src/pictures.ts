import { Canvas, type Colour } from './canvas.ts'
import type { FileSeed } from './city-types.ts'
import { portrait } from './portrait.ts'
import { stream } from './random.ts'

/** Drawn faces and documents as small PNG files, so that no photo of a real person is needed. */

/** A document with a header bar, a picture or seal, and a line for each of its facts; the text is in the record, not in the picture. */
function paper(file: FileSeed): Buffer {
  const card = file.kind === 'certificate' || file.kind === 'idCard'
  const canvas = card ? new Canvas(246, 160, [250, 250, 247]) : new Canvas(210, 297, [252, 252, 250])
  const random = stream('paper', file.id)
  const bar: Colour =
    file.kind === 'contract'
      ? [70, 84, 104]
      : file.kind === 'licence'
        ? [150, 46, 40]
        : random.pick<Colour>([
            [44, 110, 78],
            [44, 110, 78],
            [146, 50, 54],
          ])
  canvas.box(bar, 12, 12, canvas.width - 24, 14)
  const left = card ? 78 : 24
  if (card) {
    canvas.box([206, 222, 240], 18, 40, 48, 62)
    canvas.oval([120, 146, 178], 42, 60, 12, 14)
    canvas.oval([120, 146, 178], 42, 102, 20, 22, { upTo: 102 })
  }
  const count = card ? 5 : 14
  for (let i = 0; i < count; i++)
    canvas.box([186, 194, 206], left, (card ? 44 : 48) + i * 15, (canvas.width - left - 24) * random.float(0.5, 1), 4)
  const [x, y] = [canvas.width - 44, canvas.height - 40]
  canvas.ring([214, 72, 62], x, y, 20.8, 2.5)
  canvas.oval([214, 72, 62], x, y, 5, 5)
  return canvas.png()
}

/** Draws a file of the city; the same file gives the same picture. */
export function drawFile(file: FileSeed): Buffer {
  return file.sitter ? portrait(file.sitter) : paper(file)
}
