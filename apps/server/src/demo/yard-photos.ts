import type { City, Device } from '@zhugong/simulator/city-types'
import { idOf } from '@zhugong/simulator/random'
import { type LorryView, lorryPhoto, lorryViews } from '@zhugong/simulator/yard-photo'
import { type Drawn, keepFile } from './seed-pictures.ts'

/** Number of drawn trucks per look; they are reused. */
const lorries = 3
const looks = ['covered', 'open', 'washed', 'washed-open'] as const
type Look = (typeof looks)[number]

const photoId = (city: City, projectCode: string, look: Look, no: number, view: LorryView) =>
  idOf(city.seed, 'yardPhoto', projectCode, look, String(no), view)

interface Passed {
  record: string
  time: number
  data: Record<string, unknown>
}

/** A past passage or weighing with its cameras' pictures. */
export function photographed<T extends Passed>(city: City, device: Device, one: T): T {
  const no = Math.floor(one.time / 1000) % lorries
  if (one.record === 'accessRecord') {
    const leaves = one.data.direction === '1'
    const look: Look =
      leaves && one.data.washed === '1'
        ? one.data.covered === '0'
          ? 'washed-open'
          : 'washed'
        : one.data.covered === '0'
          ? 'open'
          : 'covered'
    const id = (view: LorryView) => photoId(city, device.projectCode, look, no, view)
    return { ...one, data: { ...one.data, photoUrl: id('front'), plateUrl: id('plate') } }
  }
  if (one.record !== 'weighRecord') return one
  return { ...one, data: { ...one.data, photos: lorryViews.map((view) => photoId(city, device.projectCode, 'open', no, view)) } }
}

/** Draws the pictures for every site with a truck lane or weighbridge. */
export async function drawYardPhotos(city: City, folder: string): Promise<Drawn[]> {
  const sites = new Set(city.devices.filter((d) => d.family === 'truckAccess' || d.family === 'weighbridge').map((d) => d.projectCode))
  const drawn: Drawn[] = []
  for (const projectCode of sites)
    for (const look of looks)
      for (let no = 0; no < lorries; no++)
        for (const view of [...lorryViews, 'plate'] as const) {
          const file = { id: photoId(city, projectCode, look, no, view), name: '车辆抓拍.png', mime: 'image/png' as const }
          const lorry = { covered: look === 'covered' || look === 'washed', washed: look.startsWith('washed') }
          drawn.push(await keepFile(folder, projectCode, file, lorryPhoto(view, lorry, projectCode, no)))
        }
  return drawn
}
