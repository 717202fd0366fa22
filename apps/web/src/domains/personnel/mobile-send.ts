import { workRoles } from '@zhugong/contract/labour/codes'
import { enterWorker } from '@zhugong/contract/labour/stays'
import { registerWorker, syncWorker } from '@zhugong/contract/personnel/workers'
import { call } from '#kit/call.ts'
import { CallError } from '#kit/failure.ts'
import { day } from '#kit/format.ts'
import { storeFile } from '#kit/inputs.tsx'
import { registeredWords } from './formal-words.ts'
import { type Draft, draftStore, type Outcome } from './mobile-drafts.ts'

const stored = async (file: File | undefined) => file && storeFile(file)

/**
 * Sends one draft. If the person is already on the project, an earlier request succeeded and only its answer was lost; if the person has
 * a file, only the entry is made.
 */
async function send(draft: Draft): Promise<Outcome> {
  const { place, name = '', idCardNumber = '' } = draft
  const stay = { ...place, workRole: workRoles.worker, entryTime: day(Date.now()) }
  try {
    const known = await call(syncWorker, { body: { idCardNumber, name } })
    if (known.onSite.some((p) => p.projectCode === place.projectCode)) return { state: 'done', message: '已在本项目登记' }
    if (known.known !== 'none') {
      await call(enterWorker, { body: { ...stay, idCardNumber, name } })
      return { state: 'done', message: '沿用已有档案，已办理进场' }
    }
    const idPhoto = await stored(draft.idPhoto)
    const facePhoto = draft.consentFace ? await stored(draft.facePhoto) : undefined
    const consent = (kind: 'personal' | 'face', agreed: boolean) => ({
      kind,
      state: agreed ? ('同意' as const) : ('不同意' as const),
      way: '手机确认' as const,
    })
    const made = await call(registerWorker, {
      body: {
        name,
        idCardNumber,
        cellPhone: draft.cellPhone ?? null,
        address: draft.address ?? null,
        grantOrg: draft.grantOrg ?? null,
        startDate: draft.startDate ?? null,
        expiryDate: draft.expiryDate ?? null,
        nation: draft.nation || undefined,
        positiveIdCardImage: idPhoto || undefined,
        facePhoto: facePhoto || undefined,
        consents: [consent('personal', draft.consentPersonal), consent('face', draft.consentFace)],
        stay,
      },
    })
    return { state: 'done', message: registeredWords(made) }
  } catch (error) {
    if (error instanceof CallError && error.failure.http !== 0 && error.failure.http < 500)
      return { state: 'refused', message: error.message }
    return { state: 'later' }
  }
}

/** One queue per tab; it continues while other pages are open. */
export const mobileDrafts = draftStore(send)
