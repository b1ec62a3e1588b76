// Reads what the shell brings, loads the texts of its language, and mounts the studio.
import { mount } from 'svelte';
import App from './app/App.svelte';
import { readShell } from './model/shell.ts';
import './styles/studio.css';
import { loadTexts } from './texts/texts.ts';

// A function, and no `await` of the module: screens that are loaded later import from this file, which has to be complete by itself.
async function start(): Promise<void> {
  const shell = readShell(document);
  try {
    await loadTexts(shell.language);
  } catch (error) {
    // The network went away in between. The shell has the sentence, because these texts are what is missing.
    document.querySelector('[data-failed]')?.removeAttribute('hidden');
    throw error;
  }
  const target = document.querySelector('#studio');
  if (!target) throw new Error('the shell has no place for the studio');
  target.replaceChildren();
  mount(App, { target, props: { shell } });
}

void start();
