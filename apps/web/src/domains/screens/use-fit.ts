import { canvas } from '@zhugong/contract/screens/catalogue'
import { type RefObject, useEffect, useRef, useState } from 'react'

/** Scales the canvas to its container, keeping the aspect ratio. */
export function useFit(): [ref: RefObject<HTMLDivElement | null>, fit: { scale: number; width: number; height: number }] {
  const ref = useRef<HTMLDivElement>(null)
  const [fit, setFit] = useState({ scale: 0, width: 0, height: 0 })
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element
      setFit({ scale: Math.min(width / canvas.width, height / canvas.height), width, height })
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, fit]
}
