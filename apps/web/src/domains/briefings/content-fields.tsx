import { type BriefingDesk, createGangBriefing, createManagerBriefing } from '@zhugong/contract/briefings/calls'
import { mostBriefingFiles, mostContent } from '@zhugong/contract/briefings/moves'
import { contentOf, pointsOf, templatesFor, withPoints } from '@zhugong/contract/briefings/templates'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { Card } from '#kit/feedback.tsx'
import { FieldGroup, useFormInstance, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, LongText, Upload } from '#kit/inputs.tsx'
import { Points, SpeakButton } from './speak.tsx'

const { Field, useValue } = formOf(createGangBriefing, createManagerBriefing)
const shownTemplates = 5

/** What is said: a copy of a template, with the measures of the site. */
export function ContentFields() {
  const content = useValue('content') ?? ''
  return (
    <FieldGroup title="交底内容" remark="一行一条，签字后修改会使全部签名失效">
      <Field name="content" label="内容" span="all">
        <LongText rows={12} maxLength={mostContent} />
      </Field>
      {pointsOf(content).length > 0 && (
        <div className="zg-span-all">
          <SpeakButton content={content} />
          <Points content={content} />
        </div>
      )}
      <Field name="files" label="附件与图片" span="all">
        <Upload max={mostBriefingFiles} accept="image/*,.pdf" />
      </Field>
    </FieldGroup>
  )
}

/** Beside the form: templates for the trade, and measures to insert. */
export function Sources({ desk, onFilled }: { desk: BriefingDesk | undefined; onFilled: (values: Values) => void }) {
  const form = useFormInstance()
  const [all, setAll] = useState(false)
  const workType = useValue('workType')
  const bigProjectId = useValue('bigProjectId')
  const content = useValue('content') ?? ''
  const used = useValue('measureIds') ?? []
  const category = desk?.works.find((one) => one.id === bigProjectId)?.category
  const templates = templatesFor({ workType, category })
  const fill = (values: Values) => {
    form.setFieldsValue(values)
    onFilled(form.getFieldsValue(true) as Values)
  }
  const take = async (points: readonly string[], title: string) => {
    const replaces = content.trim().length > 0
    if (
      replaces &&
      !(await confirmDanger({ thing: `用“${title}”替换已写的内容`, consequence: '已写的内容不再保留。', verb: '替换', keep: '保留已写的' }))
    )
      return
    fill({ content: contentOf({ points }) })
  }
  return (
    <>
      <Card title="交底模板">
        <div className="briefing-templates">
          {(all ? templates : templates.slice(0, shownTemplates)).map((one) => (
            <div key={one.code}>
              <span>{one.title}</span>
              <Button size="small" onClick={() => void take(one.points, one.title)}>
                套用
              </Button>
            </div>
          ))}
          {!all && templates.length > shownTemplates && (
            <Button type="link" size="small" onClick={() => setAll(true)}>
              全部模板
            </Button>
          )}
        </div>
      </Card>
      {desk && desk.measures.length > 0 && (
        <Card title="本项目安全措施" remark="实施中">
          <div className="briefing-templates">
            {desk.measures.map((one) => (
              <div key={one.id}>
                <span>
                  {one.name} <span className="zg-2">{one.hazardName}</span>
                </span>
                <Button
                  size="small"
                  disabled={used.includes(one.id)}
                  onClick={() =>
                    fill({ content: withPoints(content, pointsOf(one.content)).slice(0, mostContent), measureIds: [...used, one.id] })
                  }
                >
                  {used.includes(one.id) ? '已插入' : '插入'}
                </Button>
              </div>
            ))}
          </div>
        </Card>
      )}
    </>
  )
}

/** The dangerous work that the briefing is about; one whose plan is not approved says so. */
export function WorkField({ desk }: { desk: BriefingDesk | undefined }) {
  const chosen = useValue('bigProjectId')
  const hindrance = desk?.works.find((one) => one.id === chosen)?.hindrance
  const options = desk?.works.map((one) => ({ value: one.id, label: `${one.name}（${one.stateName}）` })) ?? []
  return (
    <Field name="bigProjectId" label="危大工程" help={hindrance ?? '不涉及则不选'}>
      <Choice options={options} loading={!desk} />
    </Field>
  )
}

export function NameFields() {
  return (
    <>
      <Field name="name" label="交底名称" span={2}>
        <Input />
      </Field>
      <Field name="part" label="部位">
        <Input placeholder="例如 3 号楼 5～8 层外架" />
      </Field>
    </>
  )
}
