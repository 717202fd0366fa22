import { useProjectCode } from '#kit/me.ts'
import { usePageQuery } from '#kit/page.tsx'
import { ScreenSettings } from './screen-settings.tsx'

/** What does the wall of this site show: its plan and its machines. */
export default function SiteSettingPage() {
  const chosen = useProjectCode()
  const projectCode = usePageQuery().get('projectCode') ?? (chosen === '*' ? undefined : chosen)
  return <ScreenSettings whose={projectCode ? { projectCode } : {}} />
}
