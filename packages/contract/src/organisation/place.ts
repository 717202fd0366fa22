export interface Place {
  lng: number
  lat: number
}
interface MaybePlace {
  lng: number | null
  lat: number | null
}

/** Whether the location of an object is known. */
export const isPlaced = <T extends MaybePlace>(one: T): one is T & Place => one.lng !== null && one.lat !== null
