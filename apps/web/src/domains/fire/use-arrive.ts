import { changeFire, type FireDetail } from '@zhugong/contract/fire/calls'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct } from '#kit/call.ts'
import { devicePosition } from '#kit/field/photos.ts'
import { anyProject } from './fire-words.tsx'

/** Begins the assessment with a check of the place; far from the site, or without a position, a reason is asked for. */
export function useArrive(file: FireDetail, onBegun: () => void) {
  const [locating, setLocating] = useState(false)
  const act = useAct(changeFire, { success: '已开始评定', onDone: onBegun })
  const send = (position: { lng: number; lat: number } | undefined, placeReason: string | null) =>
    act.run(
      {
        params: { id: file.id },
        query: anyProject,
        body: { action: 'start', version: file.version, lng: position?.lng, lat: position?.lat, placeReason },
      },
      { fieldsShown: true },
    )
  const run = async () => {
    setLocating(true)
    const position = await devicePosition()
    setLocating(false)
    if (position && (await send(position, null))) return
    const reason = await askReason(position ? '距项目围栏较远' : '未取得定位', '原因')
    if (reason) await send(position, reason)
  }
  return { run, running: locating || act.running }
}
