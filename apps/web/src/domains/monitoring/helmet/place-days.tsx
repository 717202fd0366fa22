import { getPlaceSetting, placeDaysRange, setPlaceSetting } from '@zhugong/contract/monitoring/helmet/helmet-care'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { DetailSkeleton, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { NumberKnob } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { lastWords } from '#kit/settings-shell.tsx'
import './helmet.css'

/** How long a site keeps positions of people; shows the effect of a change before saving. */
export function PlaceDays({ projectCode, onClose }: { projectCode: string; onClose: () => void }) {
  const setting = useCall(getPlaceSetting, { query: { projectCode } }, { quiet: true })
  const [days, setDays] = useState<number>()
  const act = useAct(setPlaceSetting, { success: '已保存，每天清理时生效', refreshes: [getPlaceSetting], onDone: onClose })
  const { data } = setting
  const next = days ?? data?.placeDays ?? placeDaysRange.usual
  const save = () => {
    if (!data) return
    const input = { body: { projectCode, placeDays: next, version: data.version } }
    if (next >= data.placeDays) return void act.run(input)
    void act.afterRequesting(
      {
        thing: `位置保存期改为 ${next} 天`,
        consequence: `${next} 天以前的位置与轨迹将被清除，不能恢复；告警、照片与播报记录保留。`,
        verb: '缩短保存期',
        keep: '不改',
      },
      input,
    )
  }
  return (
    <PageDrawer
      open
      size={420}
      title="位置保存期"
      onClose={onClose}
      extra={
        data?.editable && (
          <Button type="primary" disabled={next === data.placeDays} loading={act.running} onClick={save}>
            保存
          </Button>
        )
      }
    >
      {setting.error && !data ? (
        <ErrorPanel error={setting.error} retry={setting.refetch} />
      ) : !data ? (
        <DetailSkeleton />
      ) : (
        <div className="helmet-days">
          <p className="zg-2">
            人员位置保存 {placeDaysRange.low} 至 {placeDaysRange.high}{' '}
            天，到期自动清除经纬度、速度与所在区域；在线、佩戴与告警等统计不受影响。
            {lastWords({ by: data.updateBy, at: data.updateTime })}
          </p>
          {data.editable ? (
            <NumberKnob
              label="位置保存天数"
              unit="天"
              range={[placeDaysRange.low, placeDaysRange.high]}
              value={next}
              fallback={data.placeDays}
              onChange={setDays}
            />
          ) : (
            <p>
              保存 <b>{data.placeDays}</b> 天
            </p>
          )}
          <p>现有最早的位置：{data.oldest === null ? '没有' : time(data.oldest)}</p>
          {next !== data.placeDays && (
            <Notice tone={next < data.placeDays ? 'warning' : 'info'}>
              位置保存期：{data.placeDays} 天 → {next} 天{next < data.placeDays ? '，更早的位置将被清除' : '，已清除的位置不会恢复'}
            </Notice>
          )}
        </div>
      )}
    </PageDrawer>
  )
}

/** Retention of positions in force, days. */
export function usePlaceDays(projectCode: string | undefined): number | undefined {
  return useCall(getPlaceSetting, { query: { projectCode } }, { quiet: true, enabled: projectCode !== undefined && projectCode !== '*' })
    .data?.placeDays
}
