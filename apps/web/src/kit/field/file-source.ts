import { useEffect, useState } from 'react'
import { isOnDevice, photoAt } from './photos.ts'

interface Source {
  src?: string | undefined
  small?: string | undefined
}
/** What the browser can show or play; empty while it is read, or when the file is not on this device any more. */
export function useFileSource(address: string | undefined): Source {
  const [source, setSource] = useState<Source>({})
  useEffect(() => {
    if (!address || !isOnDevice(address)) return
    const made: string[] = []
    let gone = false
    void photoAt(address).then((photo) => {
      if (gone || !photo) return
      made.push(...[photo.file, photo.small].flatMap((one) => (one ? [URL.createObjectURL(one)] : [])))
      setSource({ src: made[0], small: made[1] })
    })
    return () => {
      gone = true
      for (const one of made) URL.revokeObjectURL(one)
    }
  }, [address])
  return address && isOnDevice(address) ? source : { src: address }
}
