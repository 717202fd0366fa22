import { maxUploadMb, uploadFile } from '@zhugong/contract/files/endpoints'
import { hashOf } from '../hash.ts'
import { upload } from '../http.ts'
import { useMe } from '../me.ts'
import { shrunk } from '../shrink.ts'
import { uid } from '../uid.ts'
import { askToPersist, type DevicePhoto, fieldBase } from './store.ts'

const mark = 'device:'
/** Whether an address stands for a photograph that is still on the device. */
export const isOnDevice = (address: string): boolean => address.startsWith(mark)
const keyOf = (address: string): string => address.slice(mark.length)

const positionMs = 3_000
const positionAgeMs = 60_000

/** Where the device is, if the user has allowed it; never waits longer than `positionMs`. */
export function devicePosition(): Promise<{ lng: number; lat: number } | undefined> {
  return new Promise((resolve) => {
    if (!navigator.geolocation) return resolve(undefined)
    setTimeout(() => resolve(undefined), positionMs)
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lng: coords.longitude, lat: coords.latitude }),
      () => resolve(undefined),
      { timeout: positionMs, maximumAge: positionAgeMs },
    )
  })
}

/** A photograph that is too large even after shrinking, or cannot be drawn. */
export class TooLarge extends Error {}

/**
 * Keeps a photograph on the device, shrunk to what is sent, and returns its address there. `placed`: it was taken just now, so the place of
 * the device is its place.
 * @throws TooLarge; the browser's QuotaExceededError when the device is full
 */
export async function keepPhoto(file: File, placed: boolean): Promise<string> {
  askToPersist()
  const base = await fieldBase()
  const { file: sent, small } = await shrunk(file)
  if (sent.size > maxUploadMb * 1024 ** 2) throw new TooLarge(`${file.name} 超过 ${maxUploadMb} MB`)
  const photo: DevicePhoto = {
    key: uid(),
    account: useMe.getState().info?.id ?? '',
    file: sent,
    small,
    name: file.name,
    takenAt: file.lastModified,
    sha256: await hashOf(sent),
    ...(placed ? await devicePosition() : {}),
  }
  await base.put('photos', photo)
  return mark + photo.key
}

/**
 * Keeps a spoken note on the device and returns its address there. It stands among the photographs and is sent like them.
 * @throws the browser's QuotaExceededError when the device is full
 */
export async function keepVoice(file: File): Promise<string> {
  askToPersist()
  const base = await fieldBase()
  const voice: DevicePhoto = {
    key: uid(),
    account: useMe.getState().info?.id ?? '',
    file,
    name: file.name,
    takenAt: file.lastModified,
    sha256: await hashOf(file),
    ...(await devicePosition()),
  }
  await base.put('photos', voice)
  return mark + voice.key
}

export const photoAt = async (address: string): Promise<DevicePhoto | undefined> => (await fieldBase()).get('photos', keyOf(address))

export async function dropPhotos(addresses: readonly string[]): Promise<void> {
  const base = await fieldBase()
  for (const address of addresses) await base.delete('photos', keyOf(address))
}

/** The photograph is not on this device any more, for example because the browser's data were cleared. */
export class LostPhoto extends Error {}

/**
 * Sends a photograph and returns its address on the server. Its key is the id of the file, so that sending it again after a lost answer
 * stores nothing twice; the server's hash proves what it received.
 * @throws CallError, LostPhoto
 */
export async function sendPhoto(address: string): Promise<string> {
  const base = await fieldBase()
  const photo = await base.get('photos', keyOf(address))
  if (!photo) throw new LostPhoto('照片已不在本机，请重新拍摄')
  if (photo.url) return photo.url
  const form = new FormData()
  form.append('id', photo.key)
  form.append('takenAt', String(photo.takenAt))
  if (photo.sha256) form.append('sha256', photo.sha256)
  if (photo.lng !== undefined && photo.lat !== undefined) {
    form.append('lng', String(photo.lng))
    form.append('lat', String(photo.lat))
  }
  if (photo.small) form.append('small', photo.small, 'small.jpg')
  form.append('file', photo.file, photo.name)
  const { url, sha256 } = await upload(uploadFile, form)
  if (photo.sha256 && sha256 !== photo.sha256) throw new LostPhoto('服务器收到的照片与本机不一致，请重新上传')
  await base.put('photos', { ...photo, url })
  return url
}

/** Every address of a photograph on the device in a body, wherever it stands. */
export function photosIn(value: unknown): string[] {
  if (typeof value === 'string') return isOnDevice(value) ? [value] : []
  if (Array.isArray(value)) return value.flatMap(photosIn)
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(photosIn)
  return []
}

/** The body with addresses on the server instead of those on the device. */
export function withAddresses(value: unknown, addresses: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return addresses.get(value) ?? value
  if (Array.isArray(value)) return value.map((one) => withAddresses(one, addresses))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withAddresses(one, addresses)]))
  return value
}
