import { mostPhotoSigns } from '@zhugong/contract/personnel/self-entry'

/** Sizes of the portrait in pixels, tried in order until the file is small enough. */
const sizes = [
  [480, 640],
  [360, 480],
] as const
const qualities = [0.85, 0.7, 0.55, 0.4]

/** Crops a photo to a portrait and returns a JPEG in base64 within the size limit; undefined if it cannot be read. */
export async function smallPhoto(file: File): Promise<string | undefined> {
  const picture = await createImageBitmap(file).catch(() => undefined)
  if (!picture) return undefined
  for (const [width, height] of sizes) {
    const canvas = document.createElement('canvas')
    canvas.width = width
    canvas.height = height
    const scale = Math.max(width / picture.width, height / picture.height)
    const [w, h] = [picture.width * scale, picture.height * scale]
    canvas.getContext('2d')?.drawImage(picture, (width - w) / 2, (height - h) / 2, w, h)
    for (const quality of qualities) {
      const base64 = canvas.toDataURL('image/jpeg', quality).split(',')[1] ?? ''
      if (base64 && base64.length <= mostPhotoSigns) return base64
    }
  }
  return undefined
}

/** The portrait as a File for upload. */
export async function photoFile(base64: string, name: string): Promise<File> {
  const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
  return new File([bytes], name, { type: 'image/jpeg' })
}
