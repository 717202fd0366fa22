import type { PlanPicture } from '@zhugong/contract/places/pins'
import { useEffect, useRef, useState } from 'react'
import { keepAnswer, keptAnswer } from '#kit/field/answers.ts'
import { useMe } from '#kit/me.ts'

type Plan = Pick<PlanPicture, 'id' | 'picture'>

/** Plans that are kept on the device for work without network: those of the floors where people are. */
const mostKept = 40
const keyOf = (id: string) => `plan ${id}`

/** Keeps the pictures on the device, for the account. A plan never changes under its id. */
export async function keepPlans(account: string, plans: readonly Plan[]): Promise<void> {
  for (const { id, picture } of plans.slice(0, mostKept)) {
    if (await keptAnswer(account, keyOf(id))) continue
    const answer = await fetch(picture).catch(() => undefined)
    if (!answer) return
    if (answer.ok) await keepAnswer(account, keyOf(id), await answer.blob())
  }
}

/** The address of a plan's picture: the server's, or where it does not answer the one kept on the device. */
export function useKeptPicture({ id, picture }: Plan): { src: string; onError: () => Promise<boolean> } {
  const account = useMe((me) => me.info?.id ?? '')
  const [kept, setKept] = useState<{ id: string; src: string }>()
  const made = useRef<string>(undefined)
  useEffect(
    () => () => {
      if (made.current) URL.revokeObjectURL(made.current)
    },
    [],
  )
  return {
    src: kept?.id === id ? kept.src : picture,
    /** Turns to the kept picture; false when there is none. */
    onError: async () => {
      if (kept?.id === id) return false
      const found = await keptAnswer(account, keyOf(id))
      if (!(found?.data instanceof Blob)) return false
      made.current = URL.createObjectURL(found.data)
      setKept({ id, src: made.current })
      return true
    },
  }
}
