import { createThemeCampaign, getThemeCampaign, getThemeCheck, themeSetup } from '@zhugong/contract/themes/calls'
import { campaignStates } from '@zhugong/contract/themes/moves'
import { Button } from 'antd'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DetailSkeleton, Empty, ErrorPanel, Forbidden } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { useGo, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { CampaignForm } from './campaign-form.tsx'
import { CheckDesk } from './check-desk.tsx'
import { anyProject, paths } from './theme-words.tsx'

/** Sets up a campaign (`?id=`: its draft), or records one check of it (`?campaign=`, with `id` a draft of a check). */
export default function ThemeCreatePage() {
  const query = usePageQuery()
  const projectCode = useProjectCode()
  const [campaign, id] = [query.get('campaign'), query.get('id')]
  return (
    <Can call={createThemeCampaign} fallback={<Forbidden code="safety-management.edit" />}>
      {campaign ? (
        <Check key={`${campaign} ${id}`} campaign={campaign} id={id} />
      ) : id ? (
        <Draft key={id} id={id} />
      ) : projectCode === '*' ? (
        <ProjectPicker why="在哪个项目开展专项检查" />
      ) : (
        <SetUp key={projectCode} projectCode={projectCode} />
      )}
    </Can>
  )
}

function SetUp({ projectCode, draft }: { projectCode: string; draft?: Parameters<typeof CampaignForm>[0]['draft'] }) {
  const setup = useCall(themeSetup, { query: { projectCode } }, { quiet: true, offline: true })
  if (setup.error) return <ErrorPanel error={setup.error} retry={setup.refetch} />
  if (!setup.data) return <DetailSkeleton />
  return <CampaignForm projectCode={projectCode} setup={setup.data} draft={draft} />
}

function Draft({ id }: { id: string }) {
  const go = useGo()
  const read = useCall(getThemeCampaign, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <DetailSkeleton />
  if (read.data.state !== campaignStates.draft)
    return (
      <PageShell>
        <Empty text="专项检查已经发起，不能再修改" hint={read.data.title}>
          <Button onClick={() => go(paths.detail, { id })}>查看</Button>
        </Empty>
      </PageShell>
    )
  return <SetUp key={read.data.version} projectCode={read.data.projectCode} draft={read.data} />
}

function Check({ campaign, id }: { campaign: string; id: string | null }) {
  const go = useGo()
  const read = useCall(getThemeCampaign, { params: { id: campaign }, query: anyProject }, { quiet: true, staleMs: 0, offline: true })
  const draft = useCall(
    getThemeCheck,
    { params: { id: id ?? '' }, query: anyProject },
    { quiet: true, staleMs: 0, offline: true, enabled: id !== null },
  )
  const error = read.error ?? draft.error
  if (error) return <ErrorPanel error={error} retry={read.refetch} />
  if (!read.data || (id !== null && !draft.data)) return <DetailSkeleton />
  if (read.data.state !== campaignStates.running)
    return (
      <PageShell>
        <Empty text={`专项检查${read.data.stateName}，不能登记检查`} hint={read.data.title}>
          <Button onClick={() => go(paths.detail, { id: campaign })}>查看</Button>
        </Empty>
      </PageShell>
    )
  return <CheckDesk key={draft.data?.version ?? 'new'} campaign={read.data} draft={draft.data} />
}
