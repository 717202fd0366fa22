import { getMainPage } from '@zhugong/contract/home/endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { useCall } from '#kit/call.ts'
import { DetailSkeleton, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { useMe, useProjectCode } from '#kit/me.ts'
import { CompanyHome } from './company-home.tsx'
import { GovernmentHome } from './government-home.tsx'
import { PlatformHome } from './platform-home.tsx'
import { ProjectHome } from './project-home.tsx'
import './home.css'

const refreshMs = 30_000

/** Home page; its content depends on the type of the active group and the selected project. */
export default function MainPage() {
  const projectCode = useProjectCode()
  // Notice of the user's own group; the server omits it after its last day.
  const notice = useMe((me) => me.info?.help.notice)
  const { data, error, refetch } = useCall(
    getMainPage,
    { query: projectCode === '*' ? {} : { projectCode } },
    { quiet: true, everyMs: refreshMs, keepPrevious: true },
  )
  if (error && !data) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  return (
    <>
      {notice && <Notice tone="info">{notice}</Notice>}
      <Home data={data} />
    </>
  )
}

function Home({ data }: { data: OutputFor<typeof getMainPage> }) {
  switch (data.kind) {
    case 'project':
      return <ProjectHome data={data} />
    case 'government':
      return <GovernmentHome data={data} />
    case 'corporation':
      return <CompanyHome data={data} />
    default:
      return <PlatformHome data={data} />
  }
}
