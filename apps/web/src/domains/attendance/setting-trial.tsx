import { trySetting } from '@zhugong/contract/attendance/setting'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { Button } from 'antd'
import { useState } from 'react'
import { call, showFailure } from '#kit/call.ts'
import { Card } from '#kit/feedback.tsx'
import { useFormInstance } from '#kit/form.tsx'
import { type FormValues, settingOf } from './setting-values.ts'

/** Tries the values of the form on the last complete day. */
export function Trial({ projectCode }: { projectCode: string }) {
  const form = useFormInstance()
  const [result, setResult] = useState<OutputFor<typeof trySetting>>()
  const [running, setRunning] = useState(false)
  const run = async () => {
    setRunning(true)
    try {
      const values: FormValues = form.getFieldsValue(true)
      setResult(await call(trySetting, { body: { ...settingOf(values), projectCode } }))
    } catch (failure) {
      showFailure(failure)
    } finally {
      setRunning(false)
    }
  }
  const rows =
    result &&
    ([
      ['出勤', 'attended'],
      ['迟到', 'late'],
      ['早退', 'early'],
      ['缺卡', 'missing'],
      ['缺勤', 'absent'],
      ['工时', 'workHours'],
    ] as const)
  return (
    <Card
      className="att-trial"
      title="试算"
      remark={result ? result.date : '按此设置算昨日'}
      actions={
        <Button size="small" loading={running} onClick={() => void run()}>
          试算
        </Button>
      }
    >
      {result && rows ? (
        <>
          <table>
            <thead>
              <tr>
                <th>{result.people} 人</th>
                <th>现为</th>
                <th>按此设置</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(([label, key]) => (
                <tr key={key}>
                  <td>{label}</td>
                  <td>{result.present[key]}</td>
                  <td className={result.present[key] === result.trial[key] ? '' : 'tone-warning'}>{result.trial[key]}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <div className="zg-2 zg-above">{result.changed ? `${result.changed} 人的结果会不同` : '没有人的结果会不同'}</div>
        </>
      ) : (
        <div className="zg-2">填好后点试算，看昨日的迟到、早退会变成多少；不保存任何内容。</div>
      )}
    </Card>
  )
}
