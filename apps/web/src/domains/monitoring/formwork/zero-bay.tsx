import { formworkInfo } from '@zhugong/contract/monitoring/formwork/formwork-live'
import { listPointZeros, zeroBay } from '@zhugong/contract/monitoring/point-changes'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { time } from '#kit/format.ts'
import { LongText } from '#kit/inputs.tsx'
import { notify } from '#kit/notify.ts'
import { PageModal } from '#kit/overlay.tsx'

/** When the points of a bay were last zeroed. */
export function useLastZero(projectCode: string, bayName: string) {
  const { data } = useCall(listPointZeros, { query: { projectCode, bayName, size: 1 } }, { quiet: true, enabled: bayName !== '' })
  return data?.list[0]
}

/** Zeroes settlement, displacement and tilt of all points before pouring. */
export function ZeroBay({ projectCode, bayName }: { projectCode: string; bayName: string }) {
  const may = useCan(zeroBay, { projectCode })
  const [isOpen, setIsOpen] = useState(false)
  const [reason, setReason] = useState('')
  const last = useLastZero(projectCode, bayName)
  const act = useAct(zeroBay, {
    success: false,
    refreshes: [listPointZeros, formworkInfo],
    onDone: ({ zeroed, missing }) => {
      setIsOpen(false)
      if (missing.length > 0) notify.warning(`已归零 ${zeroed.length} 个测点；${missing.join('、')} 近 10 分钟没有上报，未归零`)
      else notify.success(`已归零 ${zeroed.length} 个测点`)
    },
  })
  if (!may) return null
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>测点归零</Button>
      {isOpen && (
        <PageModal
          open
          width={440}
          title={`测点归零：${bayName}`}
          okText="归零"
          cancelText="返回"
          okButtonProps={{ loading: act.running }}
          onOk={() => void act.run({ query: { projectCode }, body: { bayName, reason: reason.trim() } })}
          onCancel={() => setIsOpen(false)}
        >
          <p className="zg-2">
            沉降、位移与倾斜从现在的读数起算，立杆轴力不归零；归零后不能撤回，浇筑开始后不能再归零。
            {last && `上次归零 ${time(last.at).slice(0, 16)}（${last.byName}）。`}
          </p>
          <label className="bay-field" htmlFor="zero-note">
            说明
          </label>
          <LongText id="zero-note" value={reason} maxLength={200} onChange={(value) => setReason(value ?? '')} />
        </PageModal>
      )}
    </>
  )
}
