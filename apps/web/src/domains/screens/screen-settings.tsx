import { groupTypes } from '@zhugong/contract/access/group-types'
import { getScreenPart, saveBrand } from '@zhugong/contract/organisation/brand'
import { pickProjects } from '@zhugong/contract/organisation/projects'
import { panelOf, panelsFor, planLayers } from '@zhugong/contract/screens/catalogue'
import { fitsPlace, pageSeconds, type ScreenPanel, type ScreenSetting, screenSetting } from '@zhugong/contract/screens/model'
import type { ScreenPart } from '@zhugong/contract/screens/part'
import { Button, Checkbox, Input, Switch } from 'antd'
import { useMemo, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, DetailSkeleton, ErrorPanel, Tag } from '#kit/feedback.tsx'
import { Choice, Choices, ClockInput, NumberInput, NumberKnob } from '#kit/inputs.tsx'
import { usePage } from '#kit/page.tsx'
import { type Difference, SettingsPage } from '#kit/settings-shell.tsx'
import { useUnsaved } from '#kit/unsaved.ts'
import { hubFor } from './hub.ts'
import { PlanBoard } from './plan-board.tsx'
import { Wall } from './wall.tsx'
import { WallLinks } from './wall-links.tsx'
import type { Whose } from './whose.ts'
import './screens.css'

/** Settings of a wall, with the running wall as preview. */
export function ScreenSettings({ whose }: { whose: Whose }) {
  const { data, error, refetch } = useCall(getScreenPart, { query: { part: 'screen', ...whose } }, { quiet: true })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  return <Settings key={`${data.group.id} ${data.version}`} read={data} whose={whose} />
}

const sources = { own: '本机构选用', inherited: '继承自上级', default: '平台默认' } as const
const yes = (on: boolean) => (on ? '开' : '关')
const listed = (list: readonly string[] | null | undefined, empty: string) => (!list ? empty : list.join('、') || '无')

function differencesOf(read: ScreenPart, before: ScreenSetting, after: ScreenSetting, project: (code: string) => string): Difference[] {
  const template = (id: string | null) => (id ? (read.choices.find((one) => one.id === id)?.name ?? id) : '按分配')
  const area = (codes: readonly string[] | null) => codes?.map((code) => read.districts.find((one) => one.areaCode === code)?.name ?? code)
  const words = (s: ScreenSetting): [string, string][] => [
    ['模板', template(s.templateId)],
    ['标题', s.title || '机构名称'],
    ['轮播', s.seconds ? `${s.seconds} 秒` : '按模板'],
    [
      '面板',
      Object.entries(s.swaps)
        .map(([uid, key]) => `${uid} 换为${panelOf(key)?.title ?? key}`)
        .join('，') || '按模板',
    ],
    ['夜间变暗', s.night.on ? `${s.night.from} 至 ${s.night.to}` : '关'],
    ['告警声', `一级 ${yes(s.sound.level1)}，二级 ${yes(s.sound.level2)}`],
    ['地图中心', s.centre ? `${s.centre.lng}，${s.centre.lat}，${s.centre.zoom} 级` : '自动'],
    [
      '图层',
      listed(
        s.layers?.map((layer) => planLayers[layer]),
        '按模板',
      ),
    ],
    [
      '播报等级',
      listed(
        s.levels?.map((level) => `${level} 级`),
        '按模板',
      ),
    ],
    ['按名称排名', listed(area(s.named), '全部')],
    ['区县轮换', s.rotate ? `每 ${s.rotate} 秒` : '关'],
    ['应急项目', s.incident ? project(s.incident) : '无'],
    ['平面图设备', `${s.placed.length} 台${s.placed.map((one) => ` ${one.x.toFixed(2)},${one.y.toFixed(2)}`).join('')}`],
    ['参观模式', yes(s.visitor)],
  ]
  const old = new Map(words(before))
  return words(after).flatMap(([label, value]) => {
    const was = old.get(label) ?? ''
    // Positions are visible on the plan; show only the number of devices.
    const short = (text: string) => text.replace(/ [\d.]+,[\d.]+/g, '')
    return was === value
      ? []
      : [{ label, before: short(was), after: short(value) === short(was) ? `${short(value)}，位置已调整` : short(value) }]
  })
}

function Settings({ read, whose }: { read: ScreenPart; whose: Whose }) {
  const page = usePage()
  const current = read.value
  const [draft, setDraft] = useState(current)
  const act = useAct(saveBrand, { success: '已保存，墙屏一分钟内更新' })
  const may = useCan('screens.set')
  const { type } = read.group
  const projects = useCall(pickProjects, { query: {} }, { enabled: type === groupTypes.government, quiet: true })
  const projectName = (code: string) => projects.data?.list.find((one) => one.projectCode === code)?.name ?? code
  const differences = differencesOf(read, current, draft, projectName)
  useUnsaved(differences.length > 0, page.cacheKey, page.entry.title)
  const parsed = screenSetting.safeParse(draft)
  const set = (change: Partial<ScreenSetting>) => setDraft((before) => ({ ...before, ...change }))
  const chosen = read.choices.find((one) => one.id === (draft.templateId ?? read.inForce.templateId)) ?? read.choices[0]
  const hub = useMemo(() => hubFor(whose.projectCode), [whose.projectCode])
  const test = () => window.open(`/huangshiScreen/main?tpl=${chosen?.id ?? ''}`, '_blank', 'noopener')
  return (
    <SettingsPage
      title="大屏设置"
      remark={`${read.group.name}的大屏，${sources[read.inForce.source]}${read.inForce.from ? `（${read.inForce.from}）` : ''}`}
      last={{ by: read.updateBy, at: read.updateTime }}
      lock={may ? undefined : '没有设置大屏的权限，此处只供查看'}
      differences={differences}
      fault={parsed.success ? undefined : parsed.error.issues[0]?.message}
      saving={act.running}
      onSave={() => act.run({ body: { part: 'screen', value: draft, version: read.version, ...whose } })}
      onUndo={() => setDraft(current)}
      actions={<Button onClick={test}>新窗口试看</Button>}
    >
      <div className="screen-settings">
        <div className="screen-left">
          <Card title="预览" remark="真实数据，按当前修改运行" flush>
            <div className="screen-preview">
              {chosen && (
                <Wall
                  hub={hub}
                  level={chosen.level}
                  body={chosen.body}
                  setting={draft}
                  title={read.group.sysName}
                  logo={null}
                  closed={read.closed}
                  mode="preview"
                />
              )}
            </div>
          </Card>
          <WallLinks whose={whose} templateId={chosen?.id} />
        </div>
        <div className="screen-right">
          <Card title="模板与标题">
            <div className="screen-templates" role="radiogroup" aria-label="模板">
              {read.choices.map((one) => (
                <button
                  key={one.id}
                  type="button"
                  role="radio"
                  aria-checked={one.id === chosen?.id}
                  className={one.id === chosen?.id ? 'screen-template screen-chosen' : 'screen-template'}
                  onClick={() => set({ templateId: one.id, swaps: {} })}
                >
                  <Thumbnail panels={one.body.pages[0]?.panels ?? []} />
                  <b>{one.name}</b>
                  <span>
                    第 {one.version} 版，{one.body.pages.length} 页 {one.delivered && <Tag icon={false}>标准</Tag>}
                  </span>
                </button>
              ))}
            </div>
            {draft.templateId && (
              <Button type="link" size="small" onClick={() => set({ templateId: null, swaps: {} })}>
                恢复为{type === groupTypes.project ? '企业标准' : '上级分配'}
              </Button>
            )}
            <Line label="标题">
              <Input
                aria-label="标题"
                value={draft.title}
                maxLength={30}
                placeholder={read.group.sysName}
                onChange={({ target }) => set({ title: target.value })}
              />
            </Line>
            {type === groupTypes.government && <p className="zg-2">大屏只用主标题，名称随机构标识变化。</p>}
          </Card>
          <Card title="面板" remark="同样大小的位置可以换成别的面板">
            {chosen?.body.pages
              .flatMap(({ panels }) => panels)
              .filter(swappable)
              .map((one) => (
                <Line key={one.uid} label={panelOf(one.panelKey)?.title ?? one.panelKey}>
                  <Choice
                    aria-label={panelOf(one.panelKey)?.title ?? one.panelKey}
                    value={draft.swaps[one.uid] ?? one.panelKey}
                    clear={false}
                    options={panelsFor(chosen.level)
                      .filter((key) => fitsPlace(chosen.level, key, one) && !read.closed.includes(key))
                      .map((key) => ({ value: key, label: panelOf(key)?.title ?? key }))}
                    onChange={(key) => {
                      const { [one.uid]: _, ...others } = draft.swaps
                      set({ swaps: key && key !== one.panelKey ? { ...others, [one.uid]: key } : others })
                    }}
                  />
                </Line>
              ))}
          </Card>
          <Card title="运行">
            <Line label="轮播">
              <NumberInput
                aria-label="每页停留"
                unit="秒"
                min={pageSeconds.least}
                max={pageSeconds.most}
                value={draft.seconds ?? chosen?.body.pages[0]?.seconds ?? pageSeconds.usual}
                onChange={(n) => set({ seconds: n ?? null })}
              />
            </Line>
            <Line label="夜间变暗">
              <Switch aria-label="夜间变暗" checked={draft.night.on} onChange={(on) => set({ night: { ...draft.night, on } })} />
              <ClockInput
                value={draft.night.from}
                onChange={(from) => set({ night: { ...draft.night, from: from ?? draft.night.from } })}
                aria-label="夜间开始"
              />
              <ClockInput
                value={draft.night.to}
                onChange={(to) => set({ night: { ...draft.night, to: to ?? draft.night.to } })}
                aria-label="夜间结束"
              />
            </Line>
            <Line label="告警声">
              <Checkbox checked={draft.sound.level1} onChange={({ target }) => set({ sound: { ...draft.sound, level1: target.checked } })}>
                一级，直到有人接单
              </Checkbox>
              <Checkbox checked={draft.sound.level2} onChange={({ target }) => set({ sound: { ...draft.sound, level2: target.checked } })}>
                二级一次
              </Checkbox>
            </Line>
            {type === groupTypes.project && (
              <Line label="参观模式">
                <Switch aria-label="参观模式" checked={draft.visitor} onChange={(visitor) => set({ visitor })} />
                <span className="zg-2">不显示来自人员的通行记录</span>
              </Line>
            )}
          </Card>
          <MapCard type={type} middle={read.middle} draft={draft} set={set} />
          {type === groupTypes.government && (
            <Card title="区县与应急">
              <Line label="按名称排名">
                <Choices
                  aria-label="按名称排名"
                  value={[...(draft.named ?? [])]}
                  placeholder="全部区县"
                  options={read.districts.map((one) => ({ value: one.areaCode, label: one.name }))}
                  onChange={(codes) => set({ named: codes?.length ? codes : null })}
                />
              </Line>
              <Line label="区县轮换">
                <Switch
                  aria-label="区县轮换"
                  checked={draft.rotate !== null}
                  onChange={(on) => set({ rotate: on ? pageSeconds.usual : null })}
                />
                {draft.rotate !== null && (
                  <NumberKnob
                    label="每个区县"
                    unit="秒"
                    range={[pageSeconds.least, pageSeconds.most]}
                    value={draft.rotate}
                    fallback={current.rotate ?? pageSeconds.usual}
                    onChange={(rotate) => set({ rotate })}
                  />
                )}
              </Line>
              <Line label="应急项目">
                <Choice
                  aria-label="应急项目"
                  value={draft.incident ?? undefined}
                  placeholder="无，正常运行"
                  options={(projects.data?.list ?? []).map((one) => ({ value: one.projectCode, label: one.name }))}
                  onChange={(code) => set({ incident: code ?? null })}
                />
              </Line>
              <p className="zg-2">保存后，墙屏中央改为该项目的现场情况，直到在这里取消。</p>
            </Card>
          )}
        </div>
      </div>
      {type === groupTypes.project && (
        <div className="screen-wide">
          <PlanBoard code={read.group.code} placed={draft.placed} onChange={(placed) => set({ placed })} />
        </div>
      )}
    </SettingsPage>
  )
}

/** The central panels are fixed, because they define the screen. */
const swappable = ({ panelKey }: ScreenPanel) =>
  panelKey !== 'kpiStrip' && panelKey !== 'projectMap' && panelKey !== 'sitePlan' && panelKey !== 'alarmTicker'

export function Line({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="screen-line">
      <span>{label}</span>
      <div>{children}</div>
    </div>
  )
}

export function Thumbnail({ panels }: { panels: readonly ScreenPanel[] }) {
  return (
    <svg viewBox="0 0 96 58" aria-hidden="true">
      <rect className="screen-thumb" width="96" height="58" rx="2" />
      {panels.map(({ uid, x, y, w, h, panelKey }) => (
        <rect
          key={uid}
          className={panelKey === 'projectMap' || panelKey === 'sitePlan' ? 'screen-thumb-map' : 'screen-thumb-panel'}
          x={2 + x * 11.5}
          y={6 + y * 8.5}
          width={w * 11.5 - 1}
          height={h * 8.5 - 1}
        />
      ))}
    </svg>
  )
}

/** Zoom that shows a town. */
const usualZoom = 12

interface Part {
  draft: ScreenSetting
  set: (change: Partial<ScreenSetting>) => void
}

function MapCard({ type, middle, draft, set }: Part & { type: number; middle: ScreenPart['middle'] }) {
  const { centre } = draft
  return (
    <Card title={type === groupTypes.project ? '平面图' : '地图与播报'}>
      {type === groupTypes.project && (
        <Line label="图层">
          <Choices
            aria-label="图层"
            value={[...(draft.layers ?? [])]}
            placeholder="按模板"
            options={Object.entries(planLayers).map(([value, label]) => ({ value, label }))}
            onChange={(chosen) => set({ layers: chosen?.length ? (chosen as ScreenSetting['layers']) : null })}
          />
        </Line>
      )}
      <Line label="播报等级">
        <Choices
          aria-label="播报等级"
          value={(draft.levels ?? []).map(String)}
          placeholder="按模板"
          options={[1, 2, 3, 4].map((n) => ({ value: String(n), label: `${n} 级` }))}
          onChange={(chosen) => set({ levels: chosen?.length ? chosen.map(Number) : null })}
        />
      </Line>
      {type !== groupTypes.project && (
        <Line label="地图中心">
          <Switch
            aria-label="指定地图中心"
            checked={centre !== null}
            disabled={middle === null && centre === null}
            onChange={(on) => set({ centre: on && middle ? { ...middle, zoom: usualZoom } : null })}
          />
          {centre ? (
            <>
              <NumberInput
                aria-label="经度"
                unit="经度"
                precision={4}
                value={centre.lng}
                onChange={(lng) => set({ centre: { ...centre, lng: lng ?? centre.lng } })}
              />
              <NumberInput
                aria-label="纬度"
                unit="纬度"
                precision={4}
                value={centre.lat}
                onChange={(lat) => set({ centre: { ...centre, lat: lat ?? centre.lat } })}
              />
              <NumberInput
                aria-label="缩放"
                unit="级"
                min={5}
                max={17}
                value={centre.zoom}
                onChange={(zoom) => set({ centre: { ...centre, zoom: zoom ?? centre.zoom } })}
              />
            </>
          ) : (
            <span className="zg-2">自动容纳全部项目</span>
          )}
        </Line>
      )}
    </Card>
  )
}
