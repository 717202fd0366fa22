import { storeFile } from '#kit/inputs.tsx'

const type = 'image/jpeg'
const quality = 0.9
const refused = '流媒体服务不允许取图，请平台管理员为它打开跨域（CORS）后再试'
const none = '当前没有画面，不能抓拍'

/** No picture could be taken; the message is shown to the user. */
export class NoPicture extends Error {}

/** The current frame of a player; undefined if the browser may show but not read it (CORS). */
function frameOf(video: HTMLVideoElement): Promise<Blob | undefined> {
  const canvas = document.createElement('canvas')
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  canvas.getContext('2d')?.drawImage(video, 0, 0)
  return new Promise((resolve) => {
    try {
      canvas.toBlob((blob) => resolve(blob ?? undefined), type, quality)
    } catch {
      resolve(undefined)
    }
  })
}

/** The picture at a URL. Throws if the server forbids cross-origin reading. */
async function pictureAt(address: string): Promise<Blob> {
  const answer = await fetch(address).catch(() => undefined)
  if (!answer?.ok) throw new NoPicture(refused)
  return answer.blob()
}

/** Uploads the picture a tile shows; returns its URL. Throws NoPicture if there is none. */
export async function keepPicture(tile: Element | null, name: string): Promise<string> {
  const video = tile?.querySelector('video')
  const still = tile?.querySelector<HTMLImageElement>('.screen img')
  const frame = video?.videoWidth ? await frameOf(video) : undefined
  if (video?.videoWidth && !frame) throw new NoPicture(refused)
  const picture = frame ?? (still ? await pictureAt(still.src) : undefined)
  if (!picture) throw new NoPicture(none)
  return storeFile(new File([picture], `${name}.jpg`, { type: picture.type }))
}
