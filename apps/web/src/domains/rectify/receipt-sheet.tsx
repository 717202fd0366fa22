import { changeRectify, type RectifyDetail } from '@zhugong/contract/rectify/calls'
import { useAct } from '#kit/call.ts'
import { type SignGiven, SignSheet } from '#kit/sign-sheet.tsx'

/** How a notice is received: by its account, on the officer's device, or refused. */
export type Receipt = 'sign' | 'serve' | 'refuse'
const words = {
  sign: { mode: 'own', title: '签收整改通知', save: '确认签收', remark: '不手写也可签收，姓名和时间照记' },
  serve: { mode: 'other', title: '当面送达', save: '确认送达', remark: '请受送达人在本机上签名' },
  refuse: { mode: 'refuse', title: '记录拒签', save: '记录拒签', remark: '拒签视为送达，整改期限照算' },
} as const

/** The receipt of a notice: drawn, or refused before a witness. */
export function ReceiptSheet({ file, how, onClose }: { file: RectifyDetail; how: Receipt; onClose: () => void }) {
  const act = useAct(changeRectify, { success: how === 'refuse' ? '已记录拒签' : '已签收', onDone: onClose })
  const { mode, title, save, remark } = words[how]
  const send = ({ name, phone, place, image, reason, witness }: SignGiven) => {
    const key = { id: file.id, version: file.version, place }
    const bodies = {
      sign: { ...key, action: 'sign', signature: image },
      serve: { ...key, action: 'serve', name, phone, signature: image ?? '' },
      refuse: { ...key, action: 'refuse', name, reason, witness },
    } as const
    return act.run({ body: bodies[how] }, { fieldsShown: true })
  }
  return (
    <SignSheet
      mode={mode}
      title={title}
      saveText={save}
      remark={remark}
      saving={act.running}
      errors={act.fieldErrors}
      onSend={send}
      onClose={onClose}
    />
  )
}
