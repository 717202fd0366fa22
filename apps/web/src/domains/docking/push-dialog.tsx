import { pushRecords } from '@zhugong/contract/docking/queue'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { Choice, DayInput } from '#kit/inputs.tsx'
import { PageModal } from '#kit/overlay.tsx'

interface Named {
  projectCode: string
  name: string
}

/** Retries failed rows of a project, of a range of days, or of both; counts them first. */
export function PushDialog({ projects, onClose }: { projects: readonly Named[]; onClose: () => void }) {
  const [projectCode, setProject] = useState<string>()
  const [from, setFrom] = useState<string>()
  const [to, setTo] = useState<string>()
  const range = from && to ? { from, to } : undefined
  const wanted = { projectCode: projectCode || undefined, range: range || undefined }
  const isRequested = projectCode !== undefined || range !== undefined
  const preview = useCall(pushRecords, { body: { ...wanted, preview: true } }, { quiet: true, enabled: isRequested, staleMs: 0 })
  const push = useAct(pushRecords, { success: ({ count }) => `${count} 条已重新排队`, onDone: onClose })
  const count = isRequested ? preview.data?.count : undefined
  return (
    <PageModal
      open
      title="批量重推失败数据"
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" disabled={!count} loading={push.running} onClick={() => void push.run({ body: wanted })}>
            {count === undefined ? '重推' : `重推 ${count} 条`}
          </Button>
        </>
      }
    >
      <div className="dock-form">
        <label htmlFor="dock-project">项目</label>
        <Choice
          id="dock-project"
          value={projectCode}
          onChange={setProject}
          options={projects.map((one) => ({ value: one.projectCode, label: one.name }))}
        />
        <label htmlFor="dock-from">排队日期起</label>
        <DayInput id="dock-from" value={from} onChange={setFrom} />
        <label htmlFor="dock-to">排队日期止</label>
        <DayInput id="dock-to" value={to} onChange={setTo} />
      </div>
      <Notice tone="info">
        {!isRequested
          ? '请选择项目，或起止日期'
          : preview.error
            ? `未能统计：${preview.error.message}`
            : count === undefined
              ? '正在统计'
              : `将重推 ${count} 条失败数据${preview.data?.locked ? `；另有 ${preview.data.locked} 条上级已锁定，不会重推` : ''}`}
      </Notice>
    </PageModal>
  )
}
