import { type FigureKey, figureNames, type PanelParam, panelOf, planLayers } from '@zhugong/contract/screens/catalogue'
import { type PanelSettings, pageSeconds, type ScreenPanel } from '@zhugong/contract/screens/model'
import { Button, Checkbox, Input } from 'antd'
import { Card } from '#kit/feedback.tsx'
import { Choice, Choices, ClockInput, LongText, NumberInput, NumberKnob } from '#kit/inputs.tsx'
import { moved, onPage, resized, sizesOf } from './arrange.ts'
import { Line } from './screen-settings.tsx'
import type { Draft } from './template-draft.ts'

/** Number of videos a camera panel shows at once. */
const tileCounts = [1, 4] as const

interface PanelProps {
  panel: ScreenPanel
  level: number
  locked: boolean
  onChange: (panel: ScreenPanel) => void
  onRemove: () => void
}

/** Fields of the selected panel: title, position, size, parameters. */
export function PanelFields({ panel, locked, onChange, onRemove }: PanelProps) {
  const kind = panelOf(panel.panelKey)
  const { least, most } = sizesOf(panel.panelKey)
  const params = (change: PanelSettings) => onChange({ ...panel, params: { ...panel.params, ...change } })
  const number = (label: string, value: number, range: readonly [number, number], change: (n: number) => ScreenPanel) => (
    <NumberKnob label={label} unit="格" range={range} value={value} fallback={value} onChange={(n) => onChange(change(n))} />
  )
  return (
    <Card
      title={kind?.title ?? panel.panelKey}
      remark={`${least.join(' × ')} 至 ${most.join(' × ')} 格`}
      actions={
        !locked && (
          <Button size="small" danger onClick={onRemove}>
            移除
          </Button>
        )
      }
    >
      <fieldset disabled={locked} className="screen-fields">
        <Line label="标题">
          <Input
            aria-label="面板标题"
            maxLength={20}
            placeholder={kind?.title}
            value={panel.title ?? ''}
            onChange={({ target }) => onChange({ ...panel, title: target.value || undefined })}
          />
        </Line>
        <Line label="距左、距上">
          <div className="screen-two">
            {number('左起第几格', panel.x, [0, 8 - panel.w], (n) => moved(panel, { x: n - panel.x, y: 0 }))}
            {number('上起第几格', panel.y, [0, 6 - panel.h], (n) => moved(panel, { x: 0, y: n - panel.y }))}
          </div>
        </Line>
        <Line label="宽、高">
          <div className="screen-two">
            {number('宽', panel.w, [least[0] ?? 1, most[0] ?? 8], (n) => resized(panel, { x: n - panel.w, y: 0 }))}
            {number('高', panel.h, [least[1] ?? 1, most[1] ?? 6], (n) => resized(panel, { x: 0, y: n - panel.h }))}
          </div>
        </Line>
        {(kind?.takes ?? []).map((param) => (
          <Param key={param} param={param} params={panel.params} onChange={params} />
        ))}
      </fieldset>
    </Card>
  )
}

const paramWords: Readonly<Record<PanelParam, string>> = {
  topN: '条数',
  days: '天数',
  figures: '指标',
  levels: '告警等级',
  layers: '图层',
  tiles: '画面',
}

function Param({ param, params, onChange }: { param: PanelParam; params: PanelSettings; onChange: (change: PanelSettings) => void }) {
  return <Line label={paramWords[param]}>{paramControl(param, params, onChange)}</Line>
}

function paramControl(param: PanelParam, params: PanelSettings, onChange: (change: PanelSettings) => void) {
  const label = paramWords[param]
  switch (param) {
    case 'topN':
      return (
        <NumberInput
          aria-label={label}
          unit="条"
          min={3}
          max={20}
          placeholder="自动"
          value={params.topN}
          onChange={(topN) => onChange({ topN })}
        />
      )
    case 'days':
      return (
        <NumberInput
          aria-label={label}
          unit="天"
          min={1}
          max={90}
          placeholder="自动"
          value={params.days}
          onChange={(days) => onChange({ days })}
        />
      )
    case 'figures':
      return (
        <Choices
          aria-label={label}
          placeholder="自动"
          value={params.figures}
          options={Object.entries(figureNames).map(([value, name]) => ({ value, label: name }))}
          onChange={(chosen) => onChange({ figures: chosen?.length ? (chosen.slice(0, 6) as FigureKey[]) : undefined })}
        />
      )
    case 'levels':
      return (
        <Choices
          aria-label={label}
          placeholder="全部等级"
          value={params.levels?.map(String)}
          options={[1, 2, 3, 4].map((n) => ({ value: String(n), label: `${n} 级` }))}
          onChange={(chosen) => onChange({ levels: chosen?.length ? chosen.map(Number).sort() : undefined })}
        />
      )
    case 'layers':
      return (
        <Choices
          aria-label={label}
          placeholder="自动"
          value={params.layers}
          options={Object.entries(planLayers).map(([value, name]) => ({ value, label: name }))}
          onChange={(chosen) => onChange({ layers: chosen?.length ? (chosen as PanelSettings['layers']) : undefined })}
        />
      )
    case 'tiles':
      return (
        <Choice
          aria-label={label}
          placeholder="自动"
          value={params.tiles === undefined ? undefined : String(params.tiles)}
          options={tileCounts.map((count) => ({ value: String(count), label: `${count} 路` }))}
          onChange={(chosen) => onChange({ tiles: tileCounts.find((count) => String(count) === chosen) })}
        />
      )
  }
}

interface TemplateProps {
  draft: Draft
  at: number
  locked: boolean
  onChange: (draft: Draft) => void
}

/** Fields of the page and the template, when no panel is selected. */
export function TemplateFields({ draft, at, locked, onChange }: TemplateProps) {
  const { body } = draft
  const shown = body.pages[at]
  const set = (change: Partial<Draft['body']>) => onChange({ ...draft, body: { ...body, ...change } })
  const { titleBar, sound, night } = body
  return (
    <>
      <Card title="本页">
        <fieldset disabled={locked} className="screen-fields">
          <Line label="页名">
            <Input
              aria-label="页名"
              maxLength={20}
              value={shown?.title ?? ''}
              onChange={({ target }) => onChange({ ...draft, body: onPage(body, at, (one) => ({ ...one, title: target.value })) })}
            />
          </Line>
          <Line label="停留">
            <NumberKnob
              label="停留"
              unit="秒"
              range={[pageSeconds.least, pageSeconds.most]}
              value={shown?.seconds ?? pageSeconds.usual}
              fallback={pageSeconds.usual}
              onChange={(seconds) => onChange({ ...draft, body: onPage(body, at, (one) => ({ ...one, seconds })) })}
            />
          </Line>
          {body.pages.length === 1 && <p className="zg-2">只有一页时不轮播；加一页后按停留秒数轮换。</p>}
        </fieldset>
      </Card>
      <Card title="整屏">
        <fieldset disabled={locked} className="screen-fields">
          <Line label="模板名称">
            <Input
              aria-label="模板名称"
              maxLength={40}
              value={draft.name}
              onChange={({ target }) => onChange({ ...draft, name: target.value })}
            />
          </Line>
          <Line label="说明">
            <LongText
              aria-label="说明"
              rows={2}
              maxLength={200}
              value={draft.description}
              onChange={(text) => onChange({ ...draft, description: text ?? '' })}
            />
          </Line>
          <Line label="大屏标题">
            <Input
              aria-label="大屏标题"
              maxLength={30}
              placeholder="各机构自己的系统名称"
              value={titleBar.name}
              onChange={({ target }) => set({ titleBar: { ...titleBar, name: target.value } })}
            />
          </Line>
          <Line label="标题栏">
            {(
              [
                ['clock', '时钟'],
                ['weather', '天气'],
                ['logo', '标识'],
              ] as const
            ).map(([key, word]) => (
              <Checkbox
                key={key}
                checked={titleBar[key]}
                onChange={({ target }) => set({ titleBar: { ...titleBar, [key]: target.checked } })}
              >
                {word}
              </Checkbox>
            ))}
          </Line>
          <Line label="告警声">
            <Checkbox checked={sound.level1} onChange={({ target }) => set({ sound: { ...sound, level1: target.checked } })}>
              一级
            </Checkbox>
            <Checkbox checked={sound.level2} onChange={({ target }) => set({ sound: { ...sound, level2: target.checked } })}>
              二级
            </Checkbox>
          </Line>
          <Line label="夜间变暗">
            <Checkbox
              aria-label="夜间变暗"
              checked={night.dim}
              onChange={({ target }) => set({ night: { ...night, dim: target.checked } })}
            />
            <ClockInput
              aria-label="夜间开始"
              value={night.from}
              onChange={(from) => set({ night: { ...night, from: from ?? night.from } })}
            />
            <ClockInput aria-label="夜间结束" value={night.to} onChange={(to) => set({ night: { ...night, to: to ?? night.to } })} />
          </Line>
          <p className="zg-2">各机构可以在自己的大屏设置里改标题、轮播、告警声和夜间。</p>
        </fieldset>
      </Card>
    </>
  )
}
