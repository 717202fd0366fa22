import { type CampaignDetail, changeThemeCampaign } from '@zhugong/contract/themes/calls'
import { reportOf } from '@zhugong/contract/themes/progress'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { Card, Empty } from '#kit/feedback.tsx'
import { LongText } from '#kit/inputs.tsx'
import { Labelled } from '../checks/public.tsx'
import { anyProject } from './theme-words.tsx'
import './themes.css'

/** The report: written from what was found, gone over by its author, kept with the campaign. */
export function Report({ file }: { file: CampaignDetail }) {
  const may = file.actions.some((one) => one.action === 'report')
  const act = useAct(changeThemeCampaign, { success: '总结已保存' })
  const [text, setText] = useState(file.report)
  const generate = () =>
    setText(
      reportOf({
        ...file,
        problems: file.problems.map((one) => ({ ...one, objectName: one.part, closed: one.notice?.passed ?? false })),
      }),
    )
  return (
    <Card
      title="总结"
      remark={file.reportedAt ? `${file.reportedAt.slice(0, 16)} 保存` : '尚未保存；关闭前须有总结'}
      actions={may && <Button onClick={generate}>{text === null ? '生成总结' : '重新生成'}</Button>}
    >
      {!may ? (
        <p className="theme-report">{file.report ?? <span className="zg-2">还没有总结</span>}</p>
      ) : text === null ? (
        <Empty small text="还没有总结" hint="按检查结果生成，可以修改后保存" />
      ) : (
        <>
          <Labelled label="总结内容" problem={act.fieldErrors.report}>
            {(id) => <LongText id={id} rows={10} maxLength={5000} value={text} onChange={(value) => setText(value ?? '')} />}
          </Labelled>
          <p>
            <Button
              type="primary"
              loading={act.running}
              disabled={text === file.report}
              onClick={() =>
                void act.run(
                  { params: { id: file.id }, query: anyProject, body: { action: 'report', version: file.version, report: text } },
                  { fieldsShown: true },
                )
              }
            >
              保存总结
            </Button>
          </p>
        </>
      )}
    </Card>
  )
}
