import { rectifyPeople } from '@zhugong/contract/rectify/calls'
import { type CampaignDetail, changeThemeCheck, createThemeCheck, type ThemeDetail } from '@zhugong/contract/themes/calls'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Notice } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { useFieldAct } from '#kit/field/use-field-act.ts'
import { PageTitle } from '#kit/list-shell.tsx'
import { hrefOf, usePage } from '#kit/page.tsx'
import { begin, type DeskDraft, fresh, isDone, leastWords, problemsAt } from './desk-model.ts'
import { ObjectCard } from './object-card.tsx'
import { ObjectTag, paths } from './theme-words.tsx'
import './themes.css'

interface DeskProps {
  campaign: CampaignDetail
  draft: ThemeDetail | undefined
}

/** One check of a campaign: any number of its objects, each by its points. */
export function CheckDesk({ campaign, draft }: DeskProps) {
  const page = usePage()
  const [initial] = useState(() => begin(draft))
  const [held, hold, clear] = useDeviceDraft<DeskDraft>(draft ? `theme ${draft.id} ${draft.version}` : `theme ${campaign.id}`, initial)
  const query = { projectCode: campaign.projectCode }
  const people = useCall(rectifyPeople, { query }, { quiet: true, offline: true })
  const leave = (to: string) => {
    clear()
    page.leave(to)
  }
  const { id, remark, at, open } = held ?? initial
  const saved = { success: '已保存', onDone: () => leave(hrefOf(paths.list, { tab: 'own' })), onKept: () => leave(paths.list) }
  const sent = { success: '检查已提交', onDone: () => leave(hrefOf(paths.detail, { id: campaign.id })), onKept: () => leave(paths.list) }
  const make = { save: useFieldAct(createThemeCheck, saved), submit: useFieldAct(createThemeCheck, sent) }
  const change = { save: useFieldAct(changeThemeCheck, saved), submit: useFieldAct(changeThemeCheck, sent) }
  const acts = [make.save, make.submit, change.save, change.submit]
  const running = acts.some((one) => one.running)
  const faults = Object.assign({}, ...acts.map((one) => one.fieldErrors)) as Readonly<Record<string, string>>
  if (!held) return <DetailSkeleton />
  const set = (more: Partial<DeskDraft>) => hold({ ...held, ...more })
  const touched = campaign.objects.filter((one) => at[one.key])
  const current = campaign.objects.find((one) => one.key === open)
  const unfinished = touched.filter((one) => !isDone(campaign, at[one.key] ?? fresh))
  const corps = people.data?.corps ?? []
  const corpCode = corps[0]?.code ?? ''
  const problems = touched.flatMap((one) => problemsAt(campaign, one, at[one.key] ?? fresh, corpCode))
  const send = (action: 'save' | 'submit') => {
    const body = {
      action,
      campaignId: campaign.id,
      checkers: draft?.checkers ?? [],
      remark: remark || null,
      objects: touched.map((one) => {
        const { notApplicable, items } = at[one.key] ?? fresh
        const given = campaign.points.flatMap(({ code }) => (items[code] ? [{ itemCode: code, ...items[code] }] : []))
        return { key: one.key, notApplicable, items: given }
      }),
      problems: action === 'submit' ? problems : problems.filter((one) => one.description.length >= leastWords && one.photos.length > 0),
    }
    const about = {
      id: `theme ${id} ${draft?.version ?? 0} ${action}`,
      title: `专项检查 ${campaign.title}`,
      page: paths.list,
      lines: problems.map((one) => ({ label: one.part, text: one.description })),
    }
    return draft
      ? change[action].run({ params: { id }, query, body: { version: draft.version, ...body } }, about)
      : make[action].run({ query, body: { id, ...body } }, about)
  }
  return (
    <div className="zg-page">
      <PageTitle title={campaign.title} remark={`${campaign.themeName}，截止 ${campaign.endDate}；随检随存在本机，没有网络也能提交`} />
      <div className="check-field">
        <div>
          <Card title="检查对象" remark={`本次 ${touched.length} 个；点对象开始检查`}>
            <nav className="theme-nav" aria-label="检查对象">
              {campaign.objects.map((one) => {
                const own = at[one.key]
                return (
                  <button
                    key={one.key}
                    type="button"
                    aria-current={one.key === open}
                    data-done={own && isDone(campaign, own) ? '' : undefined}
                    data-bad={own && problemsAt(campaign, one, own, corpCode).length > 0 ? '' : undefined}
                    onClick={() => set({ open: one.key, at: { ...at, [one.key]: own ?? fresh } })}
                  >
                    {one.name} {own ? '' : <ObjectTag row={one} />}
                  </button>
                )
              })}
            </nav>
          </Card>
          {current && (
            <ObjectCard
              key={current.key}
              campaign={campaign}
              object={current}
              value={at[current.key] ?? fresh}
              corps={corps}
              corpCode={corpCode}
              faults={faults}
              before={problems.findIndex((one) => one.part === current.name)}
              onChange={(more) => set({ at: { ...at, [current.key]: { ...(at[current.key] ?? fresh), ...more } } })}
              onRemove={() => set({ open: null, at: Object.fromEntries(Object.entries(at).filter(([key]) => key !== current.key)) })}
            />
          )}
          {Object.keys(faults).length > 0 && <Notice tone="danger">{[...new Set(Object.values(faults))].join('；')}</Notice>}
          <Card title="检查情况" remark="可不填">
            <Input.TextArea
              aria-label="检查情况"
              rows={2}
              maxLength={500}
              value={remark}
              onChange={(event) => set({ remark: event.target.value })}
            />
          </Card>
        </div>
      </div>
      <div className="check-bar">
        <Button size="large" loading={running} disabled={touched.length === 0} onClick={() => void send('save')}>
          存草稿
        </Button>
        <Button
          type="primary"
          size="large"
          loading={running}
          disabled={touched.length === 0 || unfinished.length > 0}
          onClick={() => void send('submit')}
        >
          {touched.length === 0
            ? '选择检查对象'
            : unfinished.length > 0
              ? `${unfinished.length} 个对象没有查完`
              : `提交，${touched.length} 个对象，${problems.length} 个问题`}
        </Button>
      </div>
    </div>
  )
}
