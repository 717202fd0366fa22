import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { dayMs } from '@zhugong/contract/kit/time'
import { type CampaignDetail, changeThemeCampaign, createThemeCampaign, type themeSetup } from '@zhugong/contract/themes/calls'
import {
  orderCodes,
  orders,
  type Register,
  registerCodes,
  registers,
  type ThemeCode,
  themeName,
  themes,
} from '@zhugong/contract/themes/catalogue'
import { Button, Checkbox, Input, Segmented, Select } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { Card, Notice } from '#kit/feedback.tsx'
import { day } from '#kit/format.ts'
import { Choice, DayInput } from '#kit/inputs.tsx'
import { PageTitle } from '#kit/list-shell.tsx'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { uid } from '#kit/uid.ts'
import { useUnsaved } from '#kit/unsaved.ts'
import { Labelled } from '../checks/public.tsx'
import { PointFields } from './point-fields.tsx'
import { anyProject, paths, themeOptions } from './theme-words.tsx'
import './themes.css'

type Setup = OutputFor<typeof themeSetup>
interface Fields {
  title: string
  theme: ThemeCode
  orderedBy: (typeof orderCodes)[number]
  basis: string | null
  noticeId: string | null
  startDate: string
  endDate: string
  persons: string[]
  registers: Register[]
  ownObjects: string[]
  points: { name: string; requirement: string }[]
}

const firstTheme: ThemeCode = '01'
const usualDays = 14
const ofTheme = (theme: ThemeCode) => ({
  theme,
  registers: [...themes[theme].registers],
  points: themes[theme].points.map(([name, requirement]) => ({ name, requirement })),
})

function begin(draft: CampaignDetail | undefined, noticeId: string | null): Fields {
  if (!draft)
    return {
      title: '',
      orderedBy: noticeId ? 'authority' : 'own',
      basis: null,
      noticeId,
      startDate: day(Date.now()),
      endDate: day(Date.now() + usualDays * dayMs),
      persons: [],
      ownObjects: [],
      ...ofTheme(firstTheme),
    }
  const { title, theme, orderedBy, basis, notice, startDate, endDate, persons, points, objects } = draft
  return {
    ...{ title, theme, orderedBy, basis, startDate, endDate, persons },
    noticeId: notice?.id ?? null,
    registers: draft.registers,
    ownObjects: objects.filter((one) => !registerCodes.some((code) => code === one.register)).map((one) => one.name),
    points: points.map(({ name, requirement }) => ({ name, requirement })),
  }
}

interface FormProps {
  projectCode: string
  setup: Setup
  draft: CampaignDetail | undefined
}

/** Theme, basis, points, objects, persons and dates of a campaign. */
export function CampaignForm({ projectCode, setup, draft }: FormProps) {
  const page = usePage()
  const notice = usePageQuery().get('notice')
  const [id] = useState(() => draft?.id ?? uid())
  const [initial] = useState(() => begin(draft, notice))
  const [fields, setFields] = useState(initial)
  useUnsaved(fields !== initial, page.cacheKey, '专项检查')
  const set = (more: Partial<Fields>) => setFields((now) => ({ ...now, ...more }))
  const started = { success: '专项检查已发起', onDone: () => page.leave(hrefOf(paths.detail, { id })) }
  const saved = { success: '草稿已保存', onDone: () => page.leave(hrefOf(paths.list, { show: 'draft' })) }
  const make = { save: useAct(createThemeCampaign, saved), start: useAct(createThemeCampaign, started) }
  const change = { save: useAct(changeThemeCampaign, saved), start: useAct(changeThemeCampaign, started) }
  const acts = [make.save, make.start, change.save, change.start]
  const faults = Object.assign({}, ...acts.map((one) => one.fieldErrors)) as Readonly<Record<string, string>>
  const running = acts.some((one) => one.running)
  const send = (action: 'save' | 'start') =>
    draft
      ? change[action].run(
          { params: { id }, query: anyProject, body: { action, version: draft.version, ...fields } },
          { fieldsShown: true },
        )
      : make[action].run({ query: { projectCode }, body: { id, action, ...fields } }, { fieldsShown: true })
  const count = setup.registers.filter((one) => fields.registers.includes(one.code)).reduce((n, one) => n + one.objects.length, 0)
  const total = count + fields.ownObjects.length
  return (
    <div className="zg-page">
      <PageTitle title="专项检查" remark="一个主题、一份要点、一个截止日期；对象取自台账，一个都不漏" />
      <div className="check-field">
        <div>
          <Basics fields={fields} setup={setup} faults={faults} set={set} />
          <Objects fields={fields} setup={setup} faults={faults} set={set} total={total} />
          <PointFields theme={fields.theme} points={fields.points} faults={faults} onChange={(points) => set({ points })} />
          {Object.keys(faults).length > 0 && <Notice tone="danger">{[...new Set(Object.values(faults))].join('；')}</Notice>}
        </div>
      </div>
      <div className="check-bar">
        <Button size="large" loading={running} onClick={() => void send('save')}>
          存草稿
        </Button>
        <Button type="primary" size="large" loading={running} disabled={total === 0} onClick={() => void send('start')}>
          {total === 0 ? '还没有检查对象' : `发起，${total} 个对象`}
        </Button>
      </div>
    </div>
  )
}

interface PartProps {
  fields: Fields
  faults: Readonly<Record<string, string>>
  set: (more: Partial<Fields>) => void
}

function Basics({ fields, setup, faults, set }: PartProps & { setup: Setup }) {
  return (
    <Card title="专项">
      <Labelled label="主题" problem={faults.theme}>
        {(id) => (
          <Choice
            id={id}
            clear={false}
            options={themeOptions}
            value={fields.theme}
            onChange={(theme) => theme && set(ofTheme(theme as ThemeCode))}
          />
        )}
      </Labelled>
      <Labelled label="专项名称" problem={faults.title}>
        {(id) => (
          <Input
            id={id}
            maxLength={60}
            placeholder={`例如 ${themeName(fields.theme)}专项检查`}
            value={fields.title}
            onChange={(event) => set({ title: event.target.value })}
          />
        )}
      </Labelled>
      <Labelled label="组织方式" problem={faults.orderedBy}>
        {() => (
          <Segmented
            block
            options={orderCodes.map((value) => ({ value, label: orders[value] }))}
            value={fields.orderedBy}
            onChange={(orderedBy) => set({ orderedBy })}
          />
        )}
      </Labelled>
      <Labelled label="依据文件（可不填）" problem={faults.basis}>
        {(id) => (
          <Input
            id={id}
            maxLength={200}
            placeholder="通知的名称或文号"
            value={fields.basis ?? ''}
            onChange={(event) => set({ basis: event.target.value || null })}
          />
        )}
      </Labelled>
      <Labelled label="监管通知书（可不选）" problem={faults.noticeId}>
        {(id) => (
          <Choice
            id={id}
            options={setup.notices.map((one) => ({ value: one.id, label: `${one.code ?? ''} ${one.summary}` }))}
            value={fields.noticeId}
            onChange={(noticeId) => set({ noticeId: noticeId ?? null })}
          />
        )}
      </Labelled>
      <div className="check-pair">
        <Labelled label="开始日期" problem={faults.startDate}>
          {(id) => <DayInput id={id} value={fields.startDate} onChange={(startDate) => set({ startDate: startDate ?? '' })} />}
        </Labelled>
        <Labelled label="结束日期" problem={faults.endDate}>
          {(id) => (
            <DayInput id={id} min={fields.startDate} value={fields.endDate} onChange={(endDate) => set({ endDate: endDate ?? '' })} />
          )}
        </Labelled>
      </div>
      <Labelled label="检查人" problem={faults.persons}>
        {(id) => (
          <Select
            id={id}
            mode="tags"
            className="check-part"
            placeholder="发起后通知本单位的检查人"
            value={fields.persons}
            options={setup.people.map((name) => ({ value: name, label: name }))}
            onChange={(persons: string[]) => set({ persons })}
          />
        )}
      </Labelled>
    </Card>
  )
}

function Objects({ fields, setup, faults, set, total }: PartProps & { setup: Setup; total: number }) {
  const wrong = Object.entries(faults).find(([field]) => field.startsWith('ownObjects'))?.[1]
  return (
    <Card title="检查对象" remark={`${total} 个；发起以后台账新增的对象显示为“新增未检”`}>
      {faults.registers && <Notice tone="danger">{faults.registers}</Notice>}
      <ul className="theme-points">
        {setup.registers.map((one) => (
          <li key={one.code}>
            <Checkbox
              checked={fields.registers.includes(one.code)}
              onChange={(event) =>
                set({
                  registers: event.target.checked ? [...fields.registers, one.code] : fields.registers.filter((code) => code !== one.code),
                })
              }
            >
              {registers[one.code]}台账，{one.objects.length} 个
            </Checkbox>
            <p className="zg-2">{one.objects.slice(0, namesShown).join('、') || '台账为空'}</p>
          </li>
        ))}
      </ul>
      <Labelled label="自列对象（台账没有的，可不填）" problem={wrong}>
        {(id) => (
          <Select
            id={id}
            mode="tags"
            className="check-part"
            open={false}
            placeholder="输入名称后回车，例如 3# 分配电箱"
            value={fields.ownObjects}
            onChange={(ownObjects: string[]) => set({ ownObjects })}
          />
        )}
      </Labelled>
    </Card>
  )
}
const namesShown = 8
