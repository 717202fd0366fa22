import { upload } from '#kit/call.ts'
import { uploadFile } from '#kit/inputs.tsx'

const type = 'image/jpeg'
const quality = 0.9
const refused = '流媒体服务不允许取图，请平台管理员为它打开跨域（CORS）后再试'
const none = '当前没有画面，不能抓拍'

/** Nothing could be taken; its message is for whoever pressed. */
export class NoPicture extends Error {}

/** The frame a player shows; undefined where the browser may show it but not read it. */
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

/** The picture at an address. Throws where the server keeps it from other pages. */
async function pictureAt(address: string): Promise<Blob> {
  const answer = await fetch(address).catch(() => undefined)
  if (!answer?.ok) throw new NoPicture(refused)
  return answer.blob()
}

/** What a tile shows, as a stored file; answers its address. Throws NoPicture where there is none to take. */
export async function keepPicture(tile: Element | null, name: string): Promise<string> {
  const video = tile?.querySelector('video')
  const still = tile?.querySelector<HTMLImageElement>('.screen img')
  const frame = video?.videoWidth ? await frameOf(video) : undefined
  if (video?.videoWidth && !frame) throw new NoPicture(refused)
  const picture = frame ?? (still ? await pictureAt(still.src) : undefined)
  if (!picture) throw new NoPicture(none)
  const form = new FormData()
  form.append('file', picture, `${name}.jpg`)
  return (await upload(uploadFile, form)).url
}
