import { deviceStatistics } from '@zhugong/contract/equipment/device-tools'
import { getDevice } from '@zhugong/contract/equipment/endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { Button, Select } from 'antd'
import { type ReactNode, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { DetailSkeleton, Empty, ErrorPanel } from '#kit/feedback.tsx'
import { showFailure } from '#kit/http.ts'
import { PageShell, TitleLead } from '#kit/list-shell.tsx'
import { ProjectOfPart, switchScope, useProjectCode } from '#kit/me.ts'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'

interface OneSiteProps {
  family: string
  /** Name of one machine of the family. */
  unit: string
  children: (projectCode: string) => ReactNode
}

/** Live pages show one site. Users with several sites start with the most urgent one and switch beside the title. */
export function OneSite(props: OneSiteProps) {
  const projectCode = useProjectCode()
  return projectCode === '*' ? <OneOfMany {...props} /> : props.children(projectCode)
}

type Row = OutputFor<typeof deviceStatistics>['groups'][number]

const away = (one: Row) => one.inUse - one.online
const worstFirst = (a: Row, b: Row) => b.alarming - a.alarming || away(b) - away(a) || b.all - a.all

function OneOfMany({ family, unit, children }: OneSiteProps) {
  const query = usePageQuery()
  const { data, error, refetch } = useCall(
    deviceStatistics,
    { query: { projectCode: '*', groupBy: 'project,category' } },
    { quiet: true, staleMs: 30_000 },
  )
  // Pages put the machine into the URL but not the site: the selected site is kept here.
  const [selected, setSelected] = useState<string>()
  const deviceId = query.get('deviceId') ?? ''
  const site = query.get('site')
  const device = useCall(getDevice, { params: { id: deviceId } }, { quiet: true, enabled: deviceId !== '' && !site })
  const rows = (data?.groups ?? []).filter((one) => one.family === family && one.projectCode && one.all > 0).sort(worstFirst)
  const [first] = rows
  if (error || !data || !first || (device.isLoading && !selected))
    return (
      <PageShell fill>
        <div className="zg-card zg-grow">
          {error ? (
            <ErrorPanel error={error} retry={refetch} />
          ) : data && !first ? (
            <Empty hint={`可见的项目都没有登记${unit}`} />
          ) : (
            <DetailSkeleton />
          )}
        </div>
      </PageShell>
    )
  const siteOf = (code: string | null | undefined) => rows.find((one) => code && one.projectCode === code)
  const chosen = siteOf(site) ?? siteOf(device.data?.projectCode) ?? siteOf(selected) ?? first
  const projectCode = chosen.projectCode ?? ''
  // The order by urgency changes constantly: the current site stays until another is selected.
  if (selected !== projectCode) setSelected(projectCode)
  return (
    <ProjectOfPart value={projectCode}>
      <TitleLead value={<SiteChoice rows={rows} chosen={chosen} unit={unit} onChoose={setSelected} />}>{children(projectCode)}</TitleLead>
    </ProjectOfPart>
  )
}

const words = (one: Row, unit: string) =>
  [`${unit} ${one.all}`, one.alarming > 0 && `${one.alarming} 台告警中`, away(one) > 0 && `${away(one)} 台离线`].filter(Boolean)

function SiteChoice({ rows, chosen, unit, onChoose }: { rows: Row[]; chosen: Row; unit: string; onChoose: (code: string) => void }) {
  const go = useGo()
  const page = usePage()
  const [entering, setEntering] = useState(false)
  const enter = async () => {
    setEntering(true)
    try {
      await switchScope({ projectCode: chosen.projectCode ?? '', projectName: chosen.projectName ?? '' })
    } catch (failure) {
      showFailure(failure)
    } finally {
      setEntering(false)
    }
  }
  return (
    <>
      <Select
        className="mon-site"
        aria-label="查看的项目"
        showSearch
        optionFilterProp="title"
        popupMatchSelectWidth={360}
        value={chosen.projectCode}
        options={rows.map((one) => ({ value: one.projectCode, title: one.projectName ?? '', label: one.projectName }))}
        optionRender={({ value }) => {
          const row = rows.find((one) => one.projectCode === value)
          return (
            <span className="mon-site-row">
              <strong>{row?.projectName}</strong>
              <span className="zg-2">{row && words(row, unit).join('，')}</span>
            </span>
          )
        }}
        onChange={(code) => {
          if (!code) return
          onChoose(code)
          go(page.path, { site: code }, { replace: true })
        }}
      />
      <Button type="link" loading={entering} title="页头切换到这个项目" onClick={() => void enter()}>
        进入项目
      </Button>
    </>
  )
}
