import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons'
import { verifyDevice } from '@zhugong/contract/equipment/device-tools'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { useFormInstance } from '#kit/form.tsx'
import { notify } from '#kit/notify.ts'
import { filledIn } from './filled-params.ts'

/** Validates the form before saving: numbers in use, ranges, missing values. */
export function Verify({ deviceId }: { deviceId: string | undefined }) {
  const form = useFormInstance()
  const act = useAct(verifyDevice, { success: false })
  const [checks, setChecks] = useState<readonly { key: string; label: string; ok: boolean; text: string }[]>()
  const run = async () => {
    const values = form.getFieldsValue(true) as Record<string, unknown> & { access?: Record<string, unknown> }
    const text = (value: unknown) => (typeof value === 'string' && value.trim() ? value.trim() : undefined)
    const done = await act.run({
      body: {
        id: deviceId,
        deviceSn: text(values.deviceSn),
        projectCode: text(values.projectCode),
        family: text(values.family),
        gatewayId: text(values.access?.gatewayId),
        mn: text(values.access?.mn),
        params: filledIn(values.params as Record<string, unknown> | undefined),
      },
    })
    if (!done) return
    setChecks(done.data.checks)
    if (done.data.ok) notify.success('校验通过')
  }
  return (
    <div className="zg-span-all zg-below-16">
      <Button loading={act.running} onClick={() => void run()}>
        校验
      </Button>
      {checks && (
        <ul className="zg-bare-list zg-above eq-checks" aria-label="校验结果">
          {checks.map((one) => (
            <li key={one.key}>
              {one.ok ? <CheckCircleFilled className="tone-fine" /> : <CloseCircleFilled className="tone-danger" />} {one.label}：
              <span className={one.ok ? 'zg-2' : 'tone-danger'}>{one.text}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
