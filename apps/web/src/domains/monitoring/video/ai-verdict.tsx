import { type AiEvent, aiReasons, aiVerdicts, reviewAiEvent } from '@zhugong/contract/monitoring/video/ai-events'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { useAct } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Choice } from '#kit/inputs.tsx'
import { PageModal } from '#kit/overlay.tsx'

/** Buttons and keys Y and N for 属实 and 误报; 误报 requires a reason. */
export function AiVerdict({ event, keys = false, onDone }: { event: AiEvent; keys?: boolean; onDone?: () => void }) {
  const may = useCan(reviewAiEvent, { projectCode: event.projectCode })
  const [isOpen, setIsOpen] = useState(false)
  const [reason, setReason] = useState<string>()
  const act = useAct(reviewAiEvent, { success: '已复核', onDone: () => onDone?.() })
  const { run, running } = act
  const judge = (review: '1' | '2', why: string | null) =>
    run({ params: { id: event.id }, query: { projectCode: event.projectCode }, body: { review, reason: why, version: event.version } })
  useEffect(() => {
    if (!keys || !may) return
    const press = (pressed: KeyboardEvent) => {
      if (
        pressed.ctrlKey ||
        pressed.metaKey ||
        pressed.altKey ||
        (pressed.target as Element).closest('input, textarea, select, [role="dialog"]')
      )
        return
      if (pressed.key === 'y' || pressed.key === 'Y')
        void run({
          params: { id: event.id },
          query: { projectCode: event.projectCode },
          body: { review: aiVerdicts.real, reason: null, version: event.version },
        })
      if (pressed.key === 'n' || pressed.key === 'N') setIsOpen(true)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [keys, may, run, event.id, event.projectCode, event.version])
  if (!may) return null
  return (
    <>
      <Button
        size="small"
        type={event.review === aiVerdicts.open ? 'primary' : 'default'}
        loading={running}
        disabled={event.review === aiVerdicts.real}
        onClick={() => void judge(aiVerdicts.real, null)}
      >
        属实{keys ? ' Y' : ''}
      </Button>
      <Button size="small" loading={running} disabled={event.review === aiVerdicts.wrong} onClick={() => setIsOpen(true)}>
        误报{keys ? ' N' : ''}
      </Button>
      {isOpen && (
        <PageModal
          open
          width={360}
          title="为什么是误报"
          okText="误报"
          cancelText="返回"
          okButtonProps={{ disabled: reason === undefined, loading: running }}
          onOk={() => void judge(aiVerdicts.wrong, reason ?? null).then(() => setIsOpen(false))}
          onCancel={() => setIsOpen(false)}
        >
          <Choice aria-label="误报原因" value={reason} options={aiReasons.map((value) => ({ value, label: value }))} onChange={setReason} />
          <p className="zg-2">误报计入这台摄像机该类型的准确率，首次结论保留。</p>
        </PageModal>
      )}
    </>
  )
}
