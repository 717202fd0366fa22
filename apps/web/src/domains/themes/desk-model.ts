import { usualDays } from '@zhugong/contract/rectify/moves'
import { type ItemResult, itemResults } from '@zhugong/contract/scoring/score'
import type { CampaignDetail, CampaignObject, ThemeDetail } from '@zhugong/contract/themes/calls'
import { uid } from '#kit/uid.ts'
import { inDays, type Problem } from '../checks/public.tsx'

export interface AtPoint {
  result: ItemResult
  note: string | null
  photos: string[]
  reason: string | null
}
export interface AtObject {
  /** Why the object does not apply; null: it does. */
  notApplicable: string | null
  items: Readonly<Record<string, AtPoint>>
  problems: Readonly<Record<string, Partial<Problem>>>
}
export interface DeskDraft {
  id: string
  remark: string
  at: Readonly<Record<string, AtObject>>
  open: string | null
}

export const fresh: AtObject = { notApplicable: null, items: {}, problems: {} }
export const untouched: AtPoint = { result: itemResults.unchecked, note: null, photos: [], reason: null }

export function begin(draft: ThemeDetail | undefined): DeskDraft {
  const at = (draft?.objects ?? []).map((one): [string, AtObject] => [
    one.key,
    {
      notApplicable: one.notApplicable,
      items: Object.fromEntries(
        one.items.map(({ itemCode, result, note, photos, reason }) => [itemCode, { result, note, photos, reason }]),
      ),
      problems: Object.fromEntries(
        (draft?.problems ?? []).flatMap((problem) =>
          problem.part === one.name && problem.itemCode
            ? [[problem.itemCode, { ...pick(problem), photos: problem.photos, mendedPhotos: problem.mendedPhotos }]]
            : [],
        ),
      ),
    },
  ])
  return { id: draft?.id ?? uid(), remark: draft?.remark ?? '', at: Object.fromEntries(at), open: null }
}
const pick = ({
  description,
  requirement,
  dangerLevel,
  majorClause,
  corpCode,
  person,
  deadline,
  mended,
}: ThemeDetail['problems'][number]) => ({
  ...{ description, requirement, dangerLevel, majorClause, corpCode, person, deadline, mended },
})

/** Of a problem, as the contract asks for it. */
export const leastWords = 5

export const isDone = ({ points }: CampaignDetail, { notApplicable, items }: AtObject): boolean =>
  notApplicable !== null
    ? notApplicable.trim() !== ''
    : points.every(({ code }) => {
        const one = items[code]
        if (!one || one.result === itemResults.unchecked) return false
        return one.result !== itemResults.notApplicable || Boolean(one.reason?.trim())
      })

/** The problems of an object: one for each point that does not fit, as proposed with what was typed. */
export function problemsAt(
  { points }: CampaignDetail,
  object: CampaignObject,
  { notApplicable, items, problems }: AtObject,
  corpCode: string,
) {
  if (notApplicable !== null) return []
  return points.flatMap(({ code, name, requirement }) => {
    const one = items[code]
    if (one?.result !== itemResults.wrong) return []
    const proposed = {
      description: one.note ?? '',
      part: object.name,
      placeId: null,
      pin: null,
      clause: null,
      dangerLevel: '1',
      majorClause: null,
      requirement: `${name}：${requirement}`,
      corpCode,
      person: null,
      deadline: inDays(usualDays[1] ?? 1),
      photos: one.photos,
      mended: null,
      mendedPhotos: [],
    }
    return [{ ...proposed, ...problems[code], itemCode: code }]
  })
}
